import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import {
  browserTest,
  openPage,
  pageLinks,
  seriousFindings,
  signIn,
  type Tab,
} from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { newKey, running, signedIn, urlOf, visit, visitAt } = consoleFixture('', { hasEndpoint: false });

browserTest('the first endpoint is set, and its signing secret is shown once', () =>
  visitAt('/callbacks', async (tab, page) => {
    const { endpoints } = running.service;
    await signIn(tab, endpoints);
    await page.getByRole('button', { name: 'Set the endpoint' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Required', { exact: true }).waitFor();
    await page.getByLabel('Address').fill(`${endpoints.partner?.url}/callback`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('it is never shown again').waitFor();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByText('ENABLED', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect([...tab.urls, ...tab.written].join('\n')).not.toContain(secret);
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
    const kept = () =>
      tab.page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
      );
    const key = running.service.endpoints;
    const basic = btoa(`${key.login}:${key.secret}`);
    for (const secret of [key.secret, basic]) {
      expect(await kept()).not.toContain(secret);
      expect([...tab.urls, ...tab.written].join('\n')).not.toContain(secret);
    }
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByLabel('Login').waitFor();
    expect(await tab.page.getByLabel('Secret').inputValue()).toBe('');
    expect(await tab.page.content()).not.toContain(key.offerId);
    await tab.page.reload();
    await tab.page.getByLabel('Login').waitFor();
  }),
);

browserTest('a key of a cash desk sees its pages only, and is led from others to the overview', () =>
  visitAt('/keys', async (tab) => {
    await signIn(tab, await newKey({ role: 'cash-desk' }));
    await tab.page.getByText('This page is not here').waitFor();
    expect(await pageLinks(tab).allTextContents()).toEqual(['Overview', 'Check-ins', 'API reference']);
    await tab.page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
    await tab.page.getByText('cash-desk', { exact: true }).waitFor();
    expect(new URL(tab.page.url()).pathname).toBe('/console');
    // It sends nothing, so the limits of sends would only be read as its own.
    const limits = tab.page.getByRole('region', { name: 'Key and limits' });
    await limits.getByText('Requests in 10 s').waitFor();
    expect(await limits.getByText('Recipients').count()).toBe(0);
  }),
);

browserTest('the key and the stage are seen at every width, also with several offers', () =>
  visit(async (tab, page) => {
    const { endpoints, partner } = running.service;
    const own = (await request(partner, 'GET /keys/self')).body as object;
    const login = `${endpoints.login}-0123456789abcdef`;
    const offerIds = [endpoints.offerId, 'coffee-of-moscow'];
    await page.route('**/keys/self', (route) => route.fulfill({ json: { ...own, login, offerIds } }));
    await signIn(tab, endpoints);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const signedIn = page.getByRole('group', { name: 'Signed in' });
      for (const text of [`${login} (full)`, 'dev, simulated wallet'])
        await signedIn.getByText(text, { exact: true }).waitFor();
      const box = await signedIn.boundingBox();
      expect(box?.width, `at ${width} px`).toBeGreaterThan(60);
      // The buttons keep their width, and the distance of 16 px to the edge.
      const colours = await page.getByRole('button', { name: /^Use \w+ colours$/ }).boundingBox();
      expect(colours?.width, `at ${width} px`).toBeGreaterThan(35);
      const out = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
      expect((out?.x ?? 0) + (out?.width ?? 0)).toBeLessThanOrEqual(width - 16);
    }
    expect(await seriousFindings(tab)).toEqual([]);
  }),
);

/** Returns the text of the element that has the focus. */
function focused({ page }: Tab): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent);
}

browserTest('another page takes the focus to its title, and a link leads past the menu', () =>
  signedIn(async (tab) => {
    await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    for (const name of ['Keys', 'Promotions']) {
      await openPage(tab, name);
      await expect.poll(() => focused(tab)).toBe(name);
    }
    await tab.page.getByRole('button', { name: 'Create a promotion' }).click();
    await expect.poll(() => focused(tab)).toBe('New promotion');

    await tab.page.reload();
    await signIn(tab, running.service.endpoints);
    await tab.page.getByRole('heading', { level: 1, name: 'New promotion' }).waitFor();
    const skip = tab.page.getByRole('link', { name: 'Skip the menu' });
    await skip.focus();
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await tab.page.keyboard.press('Enter');
    await tab.page.keyboard.press('Tab');
    expect(await focused(tab)).toBe('All promotions');
  }),
);

/** Opens one operation with its details, and keeps one closed of each method, since the others look alike. */
async function openOperation({ page }: Tab): Promise<void> {
  await page.locator('#api-reference .opblock-summary-control').nth(1).click();
  await page.getByText('Parameters', { exact: true }).first().waitFor();
  await page.locator('#api-reference .opblock').evaluateAll((operations) => {
    const shown = new Set<string>();
    for (const operation of operations) {
      if (shown.has(operation.className)) operation.setAttribute('style', 'display: none');
      shown.add(operation.className);
    }
  });
  expect(await page.locator('#api-reference .opblock:visible').count()).toBe(5);
}

browserTest('a key with several offers chooses the one that the pages are about', () =>
  visitAt('/service-points', async (tab) => {
    const own = (await request(running.service.partner, 'GET /keys/self')).body as object;
    await tab.page.route('**/keys/self', (route) =>
      route.fulfill({ json: { ...own, offerIds: [running.service.endpoints.offerId, 'coffee-of-moscow'] } }),
    );
    await signIn(tab, running.service.endpoints);
    await tab.page.getByText('No service points yet').waitFor();
    await tab.page.getByLabel('Offer').selectOption('coffee-of-moscow');
    await tab.page.getByText('offerId: is not a loyalty program of this account').first().waitFor();
  }),
);

/** Checks one page in both schemes. Only contrast depends on colors, which the API reference fades in, so it polls. */
async function expectAccessible(tab: Tab, name: string): Promise<void> {
  for (const [colorScheme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
    await tab.page.emulateMedia({ colorScheme });
    await tab.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    const findings = expect.poll(() => seriousFindings(tab, rules), {
      message: `${name}, ${colorScheme}`,
      timeout: 20_000,
    });
    await findings.toEqual([]);
  }
}

browserTest(
  'every page of the menu can be loaded again, is accessible, light and dark, and breaks no rule of the Content-Security-Policy',
  () =>
    visit(async (tab) => {
      await expectAccessible(tab, 'Sign in');
      await signIn(tab, running.service.endpoints);
      await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      const addresses: string[] = [];
      for (const name of await pageLinks(tab).allTextContents()) {
        await openPage(tab, name);
        addresses.push(tab.page.url());
        if (name === 'API reference') await openOperation(tab);
        await expectAccessible(tab, name);
      }
      expect(addresses.slice(0, 2)).toEqual([urlOf(), urlOf('/service-points')]);
      for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
      // Vite never loads a page's style again after a failure, so pages have their styles in their scripts.
      expect(tab.urls.filter((url) => url.endsWith('.css'))).toHaveLength(1);
    }),
);
