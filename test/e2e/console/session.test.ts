import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { basic } from '../../support/basic.ts';
import { browserTest, openPage, pageLinks, seriousFindings, signIn, stored } from '../../support/browser.ts';
import { consoleFixture, holdRequests, type Key } from '../../support/console.ts';

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
  const refused = basic(login, secret);
  await page.route('**/*', (route) =>
    route.request().headers()['authorization'] === refused
      ? route.fulfill({ status: 403, json: { message: 'Forbidden' } })
      : route.fallback(),
  );
}

function failureIn(page: Page) {
  return page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
}

browserTest('a key that is refused asks to sign in again, and the partner goes on with the draft', () =>
  visit(async (tab, page) => {
    const key = await newKey({ role: 'messages' });
    await signIn(tab, key);
    // Holders see the name of the partner, which the login of a key is not.
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText(running.service.endpoints.partnerId, { exact: true }).waitFor();
    await writeDraft(page);
    await refuseKey(page, key);
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText(`The key ${key.login} is no longer accepted`).waitFor();
    expect(await page.getByLabel('Title').isVisible()).toBe(false);
    expect(await page.getByLabel('Login').inputValue()).toBe(key.login);
    expect(await seriousFindings(tab)).toEqual([]);

    await signIn(tab, { ...key, secret: 'wrong' });
    await page.getByText('This login and secret are not accepted').filter({ visible: true }).waitFor();
    await signIn(tab, await newKey({ role: 'messages' }));
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await expectDraft(page);
    const refusal = page.getByRole('alert').filter({ hasText: 'Nothing was sent' });
    await refusal.getByText('The key that you were signed in with was no longer accepted').waitFor();
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText(`Not sent: ${phone} has no wallet app`).waitFor();
    await page.getByRole('region', { name: 'States' }).getByText('No more states follow').waitFor();
  }),
);

browserTest('a date that is typed in part stops the message after signing in again too', () =>
  visit(async (tab, page) => {
    const key = await newKey({ role: 'messages' });
    await signIn(tab, key);
    await writeDraft(page);
    await page.getByLabel('Send at').focus();
    await page.keyboard.type('2411');
    const problem = page.getByText('Write the whole date and time, or clear both');
    await problem.waitFor();
    await refuseKey(page, key);
    await page.clock.fastForward(20_000);
    await page.getByText(`The key ${key.login} is no longer accepted`).waitFor();
    await signIn(tab, await newKey({ role: 'messages' }));
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await problem.waitFor();
    await openPage(tab, 'Overview');
    await openPage(tab, 'Messages');
    await page.getByRole('button', { name: 'Send to 1 number' }).waitFor();
    expect(await problem.count()).toBe(0);
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

browserTest(
  'the rate of a partner that has signed out is not shown to another one, though its response is late',
  () =>
    visit(async (tab, page) => {
      await signIn(tab, await newKey({ role: 'messages' }));
      await writeDraft(page);
      const release = await holdRequests(page, '**/push/delivery');
      const late = page.waitForResponse('**/push/delivery');
      await page.getByRole('button', { name: 'Send to 1 number' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      const { login, secret } = running.service.other;
      await signIn(tab, { login: login ?? '', secret: secret ?? '' });
      await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
      const left = page.getByText('left in this minute');
      const own = await left.textContent();
      release();
      await (await late).finished();
      await openPage(tab, 'Overview');
      await openPage(tab, 'Messages');
      expect(await left.textContent()).toBe(own);
    }),
);

browserTest('a new secret is not shown to a key that may not manage keys and signs in at the same tab', () =>
  visit(async (tab, page) => {
    const key = await newKey({ role: 'full' });
    await signIn(tab, key);
    await openPage(tab, 'Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const secret = page.getByLabel('Secret', { exact: true });
    await secret.waitFor();
    await refuseKey(page, key);
    await page.clock.fastForward(20_000);
    await signIn(tab, await newKey({ role: 'cash-desk' }));
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    // Dialogs fade in.
    await page.clock.fastForward(1_000);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await secret.count()).toBe(0);
  }),
);

browserTest(
  'a dialog in which a full key has typed a password is not shown to an observer that signs in',
  () =>
    visitAt('/callbacks?tab=endpoint', async (tab, page) => {
      const key = await newKey({ role: 'full' });
      await signIn(tab, key);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Send a login and a password').check();
      await page.getByLabel('Password of your endpoint').fill('p-4711');
      await refuseKey(page, key);
      await page.clock.fastForward(20_000);
      await page.getByText(`The key ${key.login} is no longer accepted`).waitFor();
      await signIn(tab, await newKey({ role: 'observer' }));
      await page.getByText('ENABLED', { exact: true }).waitFor();
      // Dialogs fade out.
      await page.clock.fastForward(1_000);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }),
);

browserTest('a file of a page that is lost ends no session: it is loaded by another try', () =>
  signedIn(async (tab, page) => {
    await writeDraft(page);
    const file = /\/console\/assets\/promotions-.*\.js/;
    await page.route(file, (route) => route.fulfill({ status: 503, body: 'Service Unavailable' }));
    await pageLinks(tab).filter({ hasText: 'Promotions' }).click();
    await failureIn(page).getByText('A file of this page could not be loaded').waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await failureIn(page).getByRole('button', { name: 'Try again' }).click();
    await failureIn(page).waitFor();
    await page.unroute(file);
    await failureIn(page).getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Promotions', exact: true }).waitFor();
    await openPage(tab, 'Messages');
    await expectDraft(page);
  }),
);

browserTest('a file that is gone for good is replaced by a reload, before which the draft can be sent', () =>
  signedIn(async (tab, page) => {
    await writeDraft(page);
    const gone = /\/console\/assets\/promotions-.*\.js/;
    await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }));
    const promotions = pageLinks(tab).filter({ hasText: 'Promotions' });
    await promotions.click();
    await failureIn(page).getByText('send it first on the page Messages').waitFor();
    await openPage(tab, 'Messages');
    await expectDraft(page);
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText(`Not sent: ${phone} has no wallet app`).waitFor();

    await promotions.click();
    await failureIn(page).getByRole('button', { name: 'Load the console again' }).click();
    await page.getByLabel('Login').waitFor();
    expect(await stored(tab)).not.toContain(phone);
    await page.unroute(gone);
    await signIn(tab, running.service.endpoints);
    await page.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
    await openPage(tab, 'Messages');
    expect(await page.getByLabel('Title').inputValue()).toBe('');
  }),
);
