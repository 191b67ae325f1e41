import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  browserTest,
  openPage,
  pageLinks,
  seriousFindings,
  shownLater,
  signIn,
  type Tab,
} from '../../support/browser.ts';
import { consoleFixture, type Key } from '../../support/console.ts';

const { newKey, running, signedIn, visit, visitAt } = consoleFixture('/messages');

const title = 'Ваш столик готов';
const phone = '79005550131';

async function writeDraft(page: Page): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Message', { exact: true }).fill('Ждём вас.');
  await page.getByLabel('Numbers').fill(phone);
}

async function expectDraft(page: Page): Promise<void> {
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  expect(await page.getByLabel('Numbers').inputValue()).toBe(phone);
}

/** Makes the gateway refuse the key from now on, as after the key is deleted and the cached verdict has expired. */
async function refuseKey(page: Page, { login, secret }: Key): Promise<void> {
  const refused = `Basic ${btoa(`${login}:${secret}`)}`;
  await page.route('**/*', (route) =>
    route.request().headers()['authorization'] === refused
      ? route.fulfill({ status: 403, json: { message: 'Forbidden' } })
      : route.fallback(),
  );
}

/** Returns everything that is stored outside the memory of the page. */
function stored({ page }: Tab): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
}

function failureIn(page: Page) {
  return page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
}

browserTest('a key that is refused asks to sign in again, and the partner goes on with the draft', () =>
  visit(async (tab, page) => {
    const key = await newKey({ role: 'messages' });
    await signIn(tab, key);
    await writeDraft(page);
    await refuseKey(page, key);
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText(`The key ${key.login} is no longer accepted`).waitFor();
    expect(await page.getByLabel('Title').isVisible()).toBe(false);
    expect(await page.getByLabel('Login').inputValue()).toBe(key.login);
    expect(await seriousFindings(tab)).toEqual([]);

    await signIn(tab, { ...key, secret: 'wrong' });
    await page.getByText('This login and secret are not accepted').waitFor();
    await signIn(tab, await newKey({ role: 'messages' }));
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await expectDraft(page);
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText('Sent to 1 number').waitFor();
    await page.getByRole('button', { name: `Follow ${phone}` }).waitFor();
  }),
);

browserTest('another partner that signs in there sees nothing of the draft, and leaves nothing of it', () =>
  visit(async (tab, page) => {
    const key = await newKey({ role: 'messages' });
    await signIn(tab, key);
    await writeDraft(page);
    await refuseKey(page, key);
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    const { login, secret } = running.service.other;
    await signIn(tab, { login: login ?? '', secret: secret ?? '' });
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('');
    expect(await page.getByLabel('Numbers').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(tab, await newKey({ role: 'messages' }));
    expect(await page.getByLabel('Title').inputValue()).toBe('');
  }),
);

browserTest('a form and an open dialog wait for the new sign-in, too, out of sight', () =>
  visitAt('/promotions?promo=new', async (tab, page) => {
    const key = await newKey({ role: 'full' });
    await signIn(tab, key);
    await page.getByLabel('Name').fill('Два по цене одного');
    await page.getByLabel('From').fill('2026-12-01T10:00');
    await refuseKey(page, key);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('is no longer accepted').waitFor();
    await signIn(tab, running.service.endpoints);
    expect(await page.getByLabel('Name').inputValue()).toBe('Два по цене одного');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: /^Promotion \d+$/ }).waitFor();

    await openPage(tab, 'Callbacks');
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const address = page.getByRole('dialog').getByLabel('Address');
    await address.fill('https://bars.example/new');
    await refuseKey(page, running.service.endpoints);
    await shownLater(tab, page.getByText('is no longer accepted'));
    expect(await address.isVisible()).toBe(false);
    await signIn(tab, await newKey({ role: 'full' }));
    expect(await address.inputValue()).toBe('https://bars.example/new');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByText('ENABLED', { exact: true }).waitFor();
  }),
);

browserTest(
  'a file of a page that is lost, throttled or gone ends no session: it is loaded by another try',
  () =>
    signedIn(async (tab, page) => {
      await writeDraft(page);
      const file = (name: string) => new RegExp(`/console/assets/${name}`);
      for (const [name, status, pattern] of [
        ['Promotions', 503, file('promotions-.*\\.js')],
        ['Keys', 404, file('keys-.*\\.js')],
      ] as const) {
        await page.route(pattern, (route) => route.fulfill({ status, body: 'no' }));
        await pageLinks(tab).filter({ hasText: name }).click();
        await failureIn(page).getByText('A file of this page could not be loaded').waitFor();
        expect(await seriousFindings(tab)).toEqual([]);
        await failureIn(page).getByRole('button', { name: 'Try again' }).click();
        await failureIn(page).waitFor();
        await page.unroute(pattern);
        await failureIn(page).getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      }
      await openPage(tab, 'Messages');
      await expectDraft(page);
    }),
);

browserTest('a part of a page whose file is lost says so in its place, and is loaded by another try', () =>
  visitAt('/callbacks', async (tab, page) => {
    await signIn(tab, running.service.endpoints);
    const pattern = /\/console\/assets\/swagger-ui-.*\.js/;
    await page.route(pattern, (route) => route.abort());
    await pageLinks(tab).filter({ hasText: 'API reference' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'A file of this page could not be loaded' });
    await failure.waitFor();
    await page.unroute(pattern);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await failure.waitFor({ state: 'detached' });
    await page.getByText('Start a synchronisation session').first().waitFor();
  }),
);

browserTest(
  'a file that is gone for good is replaced by a reload that the user chooses, and the draft stays',
  () =>
    visit(async (tab, page) => {
      const { partner, other, endpoints } = running.service;
      const reload = async (name: string) => {
        const gone = new RegExp(`/console/assets/${name.toLowerCase()}-.*\\.js`);
        await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }));
        await pageLinks(tab).filter({ hasText: name }).click();
        await failureIn(page).getByRole('button', { name: 'Load the console again' }).click();
        await page.getByLabel('Login').waitFor();
        await page.unroute(gone);
        expect(await stored(tab)).not.toContain(phone);
      };
      await signIn(tab, endpoints);
      await writeDraft(page);
      await reload('Promotions');
      await signIn(tab, partner as Key);
      await page.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
      await openPage(tab, 'Messages');
      await expectDraft(page);

      await reload('Keys');
      await signIn(tab, other as Key);
      await openPage(tab, 'Messages');
      expect(await page.getByLabel('Title').inputValue()).toBe('');
    }),
);

browserTest('without a network a message says so at once, and is sent by another click', () =>
  signedIn(async (tab, page) => {
    await writeDraft(page);
    await page.context().setOffline(true);
    try {
      await page.getByRole('button', { name: 'Send to 1 number' }).click();
      await page.getByText('The service cannot be reached').first().waitFor();
    } finally {
      await page.context().setOffline(false);
    }
    await openPage(tab, 'Messages');
    await expectDraft(page);
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText('Sent to 1 number').waitFor();
  }),
);
