import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, seriousFindings, signIn } from '../../support/browser.ts';
import { consoleFixture, heldTabLeaves, holdRequests, loseResponse } from '../../support/console.ts';
import { finishedSession } from '../../support/service.ts';

const place = { itemId: 'бар №1/а', placeInfo: { name: 'Ёлки', address: 'Тверской бульвар, дом 26' } };
const others = ['b2', 'b3', 'b4', 'b5'].map((itemId) => ({
  itemId,
  placeInfo: { address: `Арбат, ${itemId}` },
}));

const { newKey, running, visit } = consoleFixture('/check-ins');
beforeAll(async () => {
  const { partner } = running.service;
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places: [place, ...others] }));
});

const listRequest = /\/checkins\?/;

/** Freezes the list until `unroute`, as on a cash desk whose refresh is still running. */
async function keepList(page: Page): Promise<void> {
  const latest = await page.waitForResponse((response) => listRequest.test(response.url()));
  const body = await latest.body();
  await page.route(listRequest, (route) => route.fulfill({ contentType: 'application/json', body }));
}

/** Presses Enter once the button that redeems has the focus, which it gets a moment after the dialog is shown. */
async function confirmRedeeming(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('button:focus', { hasText: 'Redeem' }).waitFor();
  await page.keyboard.press('Enter');
}

browserTest('a check-in that two cash desks redeem is redeemed by one; the other says so and refreshes', () =>
  visit(async (first) => {
    await signIn(first, await newKey({ role: 'cash-desk', placeIds: [place.itemId] }));
    await first.page.getByText('Nobody is checked in.').waitFor();
    await visit(async (second) => {
      await signIn(second, running.service.endpoints);
      // A service point that is chosen again stays chosen.
      for (const _time of [1, 2]) {
        await second.page.getByRole('combobox', { name: 'Service point' }).fill('елки тверской');
        await second.page.getByRole('option', { name: /Ёлки · Тверской бульвар, дом 26/ }).click();
      }
      await second.page.getByLabel('Loyalty card').fill('карта-17');
      await second.page.getByRole('button', { name: 'Check in' }).click();

      // Both cash desks see the check-in without a reload.
      await second.page.getByText('1 checked in.').waitFor();
      await first.page.getByText('1 checked in.').waitFor();
      await keepList(second.page);
      const redeem = second.page.getByRole('button', { name: /^Redeem \d{4}$/ });
      const code = (await redeem.getAttribute('aria-label'))?.slice(-4) ?? '';

      await first.page.getByRole('button', { name: `Redeem ${code}` }).click();
      await confirmRedeeming(first.page);
      await first.page.locator(':focus', { hasText: `Code ${code} is redeemed` }).waitFor();
      await first.page.getByText('карта-17', { exact: true }).waitFor();
      await first.page.getByText('Nobody is checked in.').waitFor();

      await redeem.click();
      await confirmRedeeming(second.page);
      await second.page.getByText(`Code ${code} is no longer valid`).waitFor();
      await second.page.unroute(listRequest);
      await second.page.getByText('Nobody is checked in.').waitFor();
    });
  }),
);

browserTest('a cash desk whose key names no service points types the id of its own', () =>
  visit(async (tab) => {
    await signIn(tab, await newKey({ role: 'cash-desk' }));
    const id = tab.page.getByLabel('Id of the service point');
    await id.fill('b7');
    await tab.page.getByRole('button', { name: 'Open' }).click();
    await tab.page.getByText('placeId: b7 is not a service point of this offer').waitFor();
    await id.fill('b2');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('Nobody is checked in.').waitFor();
  }),
);

browserTest('a redemption whose answer was lost succeeds when it is repeated', () =>
  visit(async (tab) => {
    await signIn(tab, await newKey({ role: 'cash-desk', placeIds: ['b3'] }));
    await tab.page.getByRole('button', { name: 'Check in' }).click();
    await loseResponse(tab.page, '**/checkin/register');
    await tab.page.getByRole('button', { name: /^Redeem/ }).click();
    await confirmRedeeming(tab.page);
    await tab.page.getByText('The service cannot be reached').waitFor();
    await tab.page.getByText(/^Code \d{4} may have been redeemed\. Try again/).waitFor();
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByText('is redeemed').waitFor();
  }),
);

browserTest('one check-in is redeemed at a time, and the outcome does not wait for the list', () =>
  visit(async (tab, page) => {
    await signIn(tab, await newKey({ role: 'cash-desk', placeIds: ['b5'] }));
    for (const count of [1, 2]) {
      await page.getByLabel('Loyalty card').fill(`карта-${count}`);
      await page.getByRole('button', { name: 'Check in' }).click();
      await page.getByText(`${count} checked in.`).waitFor();
    }
    const release = await holdRequests(page, '**/checkin/register');
    const redeem = page.getByRole('button', { name: /^Redeem \d{4}$/ });
    await redeem.first().click();
    await confirmRedeeming(page);
    await page.getByText(/^Redeeming code \d{4} …$/).waitFor();
    for (const button of await redeem.all()) expect(await button.isDisabled()).toBe(true);

    // The list is never read again.
    await page.route(listRequest, () => undefined);
    release();
    await page.getByText(/^Code \d{4} is redeemed$/).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  }),
);

browserTest('redeeming asks once and shows the card; a key held down, or Escape, redeems nothing', () =>
  visit(async ({ page, ...tab }) => {
    await signIn({ page, ...tab }, await newKey({ role: 'cash-desk', placeIds: ['b4'] }));
    await page.getByText('Nobody is checked in.').waitFor();
    await page.getByLabel('Loyalty card').fill('карта-19');
    await page.getByRole('button', { name: 'Check in' }).click();
    const redeem = page.getByRole('button', { name: /^Redeem \d{4}$/ });
    const code = (await redeem.getAttribute('aria-label'))?.slice(-4) ?? '';
    const redeemed: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/checkin/register')) redeemed.push(request.url());
    });

    await redeem.focus();
    await page.keyboard.down('Enter');
    const dialog = page.getByRole('dialog', { name: 'Redeem this check-in?' });
    await dialog.getByText('карта-19', { exact: true }).waitFor();
    await dialog.getByText(code, { exact: true }).waitFor();
    expect(await seriousFindings({ page, ...tab })).toEqual([]);
    // A keyboard repeats the key while it is held.
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await heldTabLeaves(page, dialog.getByRole('button', { name: 'Redeem' }));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(redeemed).toEqual([]);
    await expect.poll(() => redeem.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await confirmRedeeming(page);
    await page.getByText(`Code ${code} is redeemed`).waitFor();
    expect(redeemed).toHaveLength(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
  }),
);
