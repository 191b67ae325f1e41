import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { basic } from '../../support/basic.ts';
import { browserTest, seriousFindings, shownLater, signIn } from '../../support/browser.ts';
import { closeWhileSending, consoleFixture, loseResponse, storedSecret } from '../../support/console.ts';

const { newKey, running, signedIn, visit } = consoleFixture('/keys');

function confirm(page: Page, name: string) {
  return page.getByRole('dialog').getByRole('button', { name }).click();
}

browserTest('a key is created, used, rotated, retired and revoked; each secret is shown once', () =>
  signedIn(async (tab, page) => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Label').fill('Касса 1, Тверская');
    await page.getByRole('combobox', { name: 'Service points' }).fill('бар-1');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('бар-1', { exact: true }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await closeWhileSending(page, '**/keys', 'Create');
    const first = await storedSecret(page, /^[\w-]{43}$/);
    const row = page.getByRole('row', { name: /Касса 1, Тверская/ });
    await row.getByText('Service points: бар-1').waitFor();
    await page
      .getByRole('row', { name: /^No label Yours bars\d+ full all offers \d+ \w+ 2026, [\d:]+ UTC\+3/ })
      .waitFor();
    const login = /bars\d+-[\da-f]{16}/.exec((await row.textContent()) ?? '')?.[0] ?? '';
    const statusOf = async (secret: string) =>
      (await request({ ...running.service.partner, login, secret }, 'GET /keys/self')).status;
    expect(await statusOf(first)).toBe(200);

    await row.getByRole('button', { name: 'Rotate' }).click();
    await loseResponse(page, '**/rotate');
    await confirm(page, 'Rotate');
    await page.getByText('It may have been done').waitFor();
    await confirm(page, 'Replace');
    const second = await storedSecret(page, /^[\w-]{43}$/);
    expect(await statusOf(second)).toBe(200);
    await row.getByRole('button', { name: 'Retire' }).click();
    await confirm(page, 'Retire');
    await page.getByText(/The older secret of Касса 1, Тверская \(bars\d+-\w+\) has ended/).waitFor();
    // The button that had the focus is gone, and its card has it.
    await page.locator('section:focus', { hasText: 'Keys of your account' }).waitFor();

    // The dialog asks for what it asked when it was opened: a colleague's new secret is not replaced.
    await row.getByRole('button', { name: 'Rotate' }).click();
    const { body } = await request(running.service.partner, `POST /keys/${login}/rotate`);
    await shownLater(tab, row.getByRole('button', { name: 'Replace', includeHidden: true }));
    await confirm(page, 'Rotate');
    await page.getByText('Nothing was changed').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).count()).toBe(0);
    await confirm(page, 'Cancel');
    expect(await statusOf((body as { secret: string }).secret)).toBe(200);

    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: `Revoke Касса 1, Тверская (${login})?` }).waitFor();
    await confirm(page, 'Revoke');
    await page.getByText(`(${login}) is revoked. The gateway may still accept it for 300 seconds.`).waitFor();
    await row.waitFor({ state: 'detached' });
    for (const secret of [first, second])
      expect([...tab.urls, ...tab.written].join('\n')).not.toContain(secret);
  }),
);

browserTest('after the own key is rotated, the page goes on with the new secret and retires the older', () =>
  visit(async (tab, page) => {
    const { offerId } = running.service.endpoints;
    const { login, secret } = await newKey({ role: 'full', offerIds: [offerId] });
    await signIn(tab, { login, secret });
    // A key that is limited to offers gives others no more than these.
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('Your key is limited to these').waitFor();
    // Rule 50: such a key could send nothing.
    expect(await page.getByRole('radio', { name: 'messages' }).count()).toBe(0);
    await confirm(page, 'Create');
    await storedSecret(page, /^[\w-]{43}$/);

    const row = page.getByRole('row', { name: new RegExp(`Yours ${login}`) });
    let responds = Promise.withResolvers<void>();
    const refused = { status: 'CHANGED_MEANWHILE', errors: ['login: was changed'] };
    let isRefused = true;
    await page.route('**/rotate', async (route) => {
      await responds.promise;
      await (isRefused ? route.fulfill({ status: 409, json: refused }) : route.continue());
    });
    const rotate = async () => {
      responds = Promise.withResolvers();
      await row.getByRole('button', { name: 'Rotate' }).click();
      const sent = page.waitForRequest('**/rotate');
      await confirm(page, 'Rotate');
      await sent;
    };
    await rotate();
    // The dialog keeps the focus, and stays until it can say what failed. A second confirmation does nothing.
    await page.getByRole('dialog').locator('button:focus', { hasText: 'Rotate' }).press('Enter');
    await page.keyboard.press('Escape');
    responds.resolve();
    await page.getByText('Nothing was changed').waitFor();
    expect(tab.urls.filter((url) => url.endsWith('/rotate'))).toHaveLength(1);
    isRefused = false;
    await confirm(page, 'Rotate');
    const second = await storedSecret(page, /^[\w-]{43}$/);
    await row.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('If that is by its newer secret, first sign in with the older one').waitFor();
    await confirm(page, 'Cancel');
    // Rule 63: the request would be refused.
    expect(await row.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    const retiring = page.waitForRequest(`**/keys/${login}/retire`);
    await row.getByRole('button', { name: 'Retire' }).click();
    await confirm(page, 'Retire');
    expect((await retiring).headers()['authorization']).toBe(basic(login, second));
    await page.getByText(`The older secret of ${login} has ended.`).waitFor();

    // A secret that comes late begins no session again.
    await rotate();
    await page.getByRole('button', { name: 'Sign out', includeHidden: true }).dispatchEvent('click');
    await page.getByLabel('Login', { exact: true }).waitFor();
    const late = page.waitForResponse('**/rotate');
    responds.resolve();
    await (await late).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Partner console']);
    await request(running.service.partner, `DELETE /keys/${login}`);
  }),
);
