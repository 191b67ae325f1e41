import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import {
  browserTest,
  expectFits,
  openPage,
  pageLinks,
  shownLater,
  signIn,
  stored,
  type Tab,
} from '../../support/browser.ts';
import { closeWhileSending, consoleFixture, loseResponse, storedSecret } from '../../support/console.ts';

const { newKey, running, signedIn, urlOf, visit, visitAt } = consoleFixture('', { hasEndpoint: false });

browserTest('the first endpoint is set as the overview says, and its signing secret is shown once', () =>
  visit(async (tab, page) => {
    const { endpoints } = running.service;
    await signIn(tab, endpoints);
    const steps = page.getByRole('region', { name: 'What to do first' }).getByRole('link');
    const first = ['Upload your service points', 'Set your callback endpoint', 'Send a first message'];
    await steps.nth(2).waitFor();
    expect(await steps.allTextContents()).toEqual(first);
    await page.getByText('Nothing was sent to more than one number.').waitFor();
    await page.getByText('No endpoint is set, so states of messages are not called back.').waitFor();
    await steps.nth(1).click();
    await page.getByRole('button', { name: 'Set the endpoint' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Required', { exact: true }).waitFor();
    await page.getByLabel('Address').fill(`${endpoints.partner?.url}/callback`);
    await closeWhileSending(page, '**/callbacks/endpoint', 'Save', () => page.goBack());
    const secret = await storedSecret(page, /^whsec_/);
    await steps.first().waitFor();
    await page.goForward();
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByText('ENABLED', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect([...tab.urls, ...tab.written].join('\n')).not.toContain(secret);
  }),
);

browserTest(
  'a first endpoint whose response was lost is set by another try, which says why it has no secret',
  () =>
    visitAt('/callbacks?tab=wrong', async (tab, page) => {
      const { login = '', secret = '' } = running.service.other;
      await signIn(tab, { login, secret });
      const notSet = page.getByText('No endpoint is set');
      await notSet.waitFor();
      await page.getByRole('tab', { name: 'Alerts' }).click();
      await page.getByText('No alerts are set').waitFor();
      expect(await notSet.count()).toBe(0);
      await page.getByRole('tab', { name: 'Endpoint' }).click();
      await page.getByRole('button', { name: 'Set the endpoint' }).click();
      await page.getByLabel('Address').fill(`${running.service.endpoints.partner?.url}/callback`);
      await loseResponse(page, '**/callbacks/endpoint');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It may have been done').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It was made before').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    }),
);

test('the address of the service leads to the console, and its document is there', async () => {
  const home = await fetch(running.service.endpoints.baseUrl);
  expect([home.url, home.status]).toEqual([urlOf(), 200]);
  const document = await fetch(`${running.service.endpoints.baseUrl}/openapi.json`);
  expect(await document.json()).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
});

browserTest('a wrong key says so and stays there; the right one leads to the page that was opened', () =>
  visitAt('/callbacks', async (tab) => {
    await signIn(tab, { login: running.service.endpoints.login, secret: 'wrong' });
    await tab.page.getByText('This login and secret are not accepted').waitFor();
    await signIn(tab, running.service.endpoints);
    await tab.page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor();
    expect(new URL(tab.page.url()).pathname).toBe('/console/callbacks');
    expect(await pageLinks(tab).allTextContents()).toEqual([
      'Overview',
      'Service points',
      'Check-ins',
      'Messages',
      'Phone',
      'Callbacks',
      'Events',
      'Promotions',
      'Keys',
      'API reference',
    ]);
  }),
);

browserTest('signing out forgets the key and what it has read, and nothing was ever stored', () =>
  signedIn(async (tab) => {
    await tab.page.getByText('100,000').waitFor();
    const key = running.service.endpoints;
    const everywhere = [await stored(tab), ...tab.urls, ...tab.written].join('\n');
    for (const secret of [key.secret, btoa(`${key.login}:${key.secret}`)])
      expect(everywhere).not.toContain(secret);
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByLabel('Login').waitFor();
    expect(await tab.page.getByLabel('Secret').inputValue()).toBe('');
    expect(await tab.page.content()).not.toContain(key.offerId);
    await tab.page.reload();
    await tab.page.getByLabel('Login').waitFor();
  }),
);

browserTest('limits that are changed while somebody is signed in are shown', () =>
  signedIn(async (tab, page) => {
    await page.getByText('100,000', { exact: true }).waitFor();
    await page.route('**/keys/self', async (route) => {
      const response = await route.fetch();
      const own = (await response.json()) as { limits: object };
      const limits = { ...own.limits, pushesPerMinute: 250_000 };
      await route.fulfill({ response, json: { ...own, limits } });
    });
    await shownLater(tab, page.getByText('250,000', { exact: true }));
  }),
);

browserTest('a key of a cash desk sees its pages only, and is led from others to the overview', () =>
  visitAt('/keys', async (tab) => {
    const offerIds = [running.service.endpoints.offerId];
    await signIn(tab, await newKey({ role: 'cash-desk', offerIds }));
    await tab.page.getByText('the role cash-desk that is limited to some offers may not open').waitFor();
    expect(await pageLinks(tab).allTextContents()).toEqual(['Overview', 'Check-ins', 'API reference']);
    await tab.page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
    await tab.page.getByText('cash-desk', { exact: true }).waitFor();
    expect(await tab.page.getByText(/^(Sends of the last 7 days|Callbacks)$/).count()).toBe(0);
    expect(new URL(tab.page.url()).pathname).toBe('/console');
  }),
);

browserTest('an observer sees every page and no button that changes anything', () =>
  visit(async (tab, page) => {
    const { partner, endpoints } = running.service;
    await request(partner, 'PUT /callbacks/endpoint', { url: `${endpoints.partner?.url}/callback` });
    await request(partner, 'POST /promo/v1/create', { name: 'Кофе', startDate: '2099-01-01T00:00:00+03' });
    await newKey({ role: 'cash-desk', label: 'Касса 3' });
    await signIn(tab, await newKey({ role: 'observer' }));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const buttons: string[] = [];
    const names = ['Service points', 'Check-ins', 'Messages', 'Events', 'Promotions', 'Keys', 'Callbacks'];
    for (const name of names) {
      await openPage(tab, name);
      buttons.push(...(await page.getByRole('main').getByRole('button').allTextContents()));
    }
    // These look for a message, open a promotion and filter callbacks.
    expect(buttons).toEqual(['Follow', 'Кофе', 'Filter']);
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByText('ENABLED', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.getByRole('tab', { name: 'Verify' }).click();
    await page.getByRole('tab', { name: 'Python' }).click();
    const program = await page.getByLabel('Verify a signature in Python').textContent();
    expect(program).toBe(readFileSync('docs/snippets/verify-callback.py', 'utf8'));
  }),
);

/** Returns the text of the element that has the focus. */
function focused({ page }: Tab): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent);
}

browserTest('another page takes the focus to its title, and a link leads past the menu', () =>
  signedIn(async (tab) => {
    for (const name of ['Keys', 'Promotions']) {
      await openPage(tab, name);
      await expect.poll(() => focused(tab)).toBe(name);
    }
    await tab.page.getByRole('link', { name: 'Skip the menu' }).focus();
    await tab.page.keyboard.press('Enter');
    await tab.page.keyboard.press('Tab');
    expect(await focused(tab)).toBe('Create a promotion');
  }),
);

browserTest('a key with several offers chooses the one that the pages are about, on a phone too', () =>
  visitAt('/service-points', async (tab, page) => {
    const own = (await request(running.service.partner, 'GET /keys/self')).body as object;
    const offerIds = [running.service.endpoints.offerId, 'coffee-of-moscow'];
    await page.route('**/keys/self', (route) => route.fulfill({ json: { ...own, offerIds } }));
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(tab, running.service.endpoints);
    await page.getByText('No service points yet').waitFor();
    const signedInAs = page.getByRole('group', { name: 'Signed in' });
    await signedInAs.getByText('dev, simulated wallet', { exact: true }).waitFor();
    // Tab must not go through a menu that is closed.
    expect(await pageLinks(tab).count()).toBe(0);
    const menu = page.getByRole('button', { name: 'Pages' });
    await menu.click();
    await pageLinks(tab).first().focus();
    await page.keyboard.press('Escape');
    await page.locator('button[aria-expanded=false]:focus').waitFor();
    expect(await pageLinks(tab).count()).toBe(0);
    await menu.click();
    await openPage(tab, 'Service points');
    expect(await pageLinks(tab).count()).toBe(0);
    await page.getByLabel('Offer').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('offerId: is not a loyalty program of this account').first().waitFor();
    expect(await page.locator('select:focus').inputValue()).toBe('coffee-of-moscow');
    await expectFits(tab, 390);
  }),
);
