import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, openPage, seriousFindings, shownLater, signIn, stored } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';
import { finishedSession } from '../../support/service.ts';

const phone = '79005550117';
const title = 'Ваша карта привилегий готова к использованию';
const message =
  'Здравствуйте, Александра Константиновна! Двойные баллы за первый заказ в любом из наших баров.';

const { running, signedIn } = consoleFixture('/messages');
beforeAll(async () => {
  const { partner } = running.service;
  const places = [{ itemId: 'b1', placeInfo: { name: 'Ёлки', address: 'Арбат, 1' } }];
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places }));
});

async function write(page: Page, numbers: string): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Message', { exact: true }).fill(message);
  await page.getByLabel('Numbers').fill(numbers);
}

browserTest('a push arrives on the phone, is opened by a tap, and is OPENED with its callbacks', () =>
  signedIn(async (tab, page) => {
    const number = page.getByLabel('Number of the phone');
    await number.fill(' ');
    expect(await number.evaluate((field: HTMLInputElement) => field.checkValidity())).toBe(false);
    await number.fill(phone);
    await page.getByRole('button', { name: 'Put phone' }).click();
    await page.getByText('No message is shown on this number').waitFor();
    await write(page, '8 (900) 555-01-17');
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText('Not sent: 89005550117 has no wallet app. Check the number').waitFor();
    await page.getByRole('region', { name: 'States' }).getByText('MSISDN_NOT_REGISTERED').waitFor();
    await page.getByLabel('Numbers').fill('');
    await page.getByRole('button', { name: 'Add the phone' }).click();
    await page.getByLabel('utmSource').fill('весна');
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText('Sent to 1 number').waitFor();
    await page.locator('button:focus', { hasText: 'Send to 1 number' }).waitFor();

    const pushed = page.getByRole('button', { name: new RegExp(`${title}.*Tap to open the card`) });
    await pushed.waitFor();
    await page.getByText('What follows appears here by itself').waitFor();
    await pushed.click();
    await page.getByText('Opened: shows the card').waitFor();
    const { body } = await request(running.service.partner, `GET /sandbox/phones/${phone}`);
    expect(body).toMatchObject({ messages: [{ utm: { utmSource: 'весна' } }] });
    const states = page.getByRole('region', { name: 'States' });
    await states.getByText('No more states follow').waitFor();
    const cells = await states.getByRole('cell').allTextContents();
    expect(cells.filter((_cell, n) => n % 2 === 0)).toEqual(['ENQUEUED', 'DELIVERED', 'OPENED']);
    expect(await seriousFindings(tab)).toEqual([]);
    const messageId = new URL(page.url()).searchParams.get('id');
    const sent = page.getByRole('table', { name: 'Sent from this page' });
    const [newest, first] = (await sent.getByRole('row').allTextContents()).slice(1);
    expect([newest, first]).toEqual([
      expect.stringMatching(/UTC\+3.*79005550117SentFollow$/),
      expect.stringMatching(/UTC\+3.*89005550117Not sent: no wallet appFollow$/),
    ]);
    await sent.getByRole('link', { name: /^Follow .* to 89005550117$/ }).click();
    await states.getByText('MSISDN_NOT_REGISTERED').waitFor();
    await sent.getByRole('link', { name: RegExp(`^Follow .* to ${phone}$`) }).click();
    await states.getByText('OPENED').waitFor();
    const beside = page.getByRole('table', { name: 'Callbacks' });
    await shownLater(tab, beside.getByRole('row').filter({ hasText: /OPENEDdelivered.*HTTP 200/ }));
    await page.getByRole('link', { name: 'Its callbacks' }).click();
    const callbacks = page.getByRole('row', { name: `Select message ${messageId}` });
    for (const hasText of [/DELIVEREDdelivered.*HTTP 200/, /OPENEDdelivered.*HTTP 200/])
      await shownLater(tab, callbacks.filter({ hasText }));
    expect(await page.getByRole('row').count()).toBe(3);

    // The page of the phone shows the same phone.
    await page.getByRole('link', { name: 'Phone', exact: true }).click();
    await page.getByText('Opened: shows the card').waitFor();
    await page.getByRole('combobox', { name: 'Service point' }).fill('елки');
    await page.getByRole('option', { name: /Ёлки/ }).click();
    await page.getByRole('button', { name: 'Check in' }).click();
    await page.getByText(/^Code \d{4}$/).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await page.getByRole('button', { name: 'Remove phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove phone' }).click();
    await page.getByText('No phone yet').waitFor();
  }),
);

browserTest(
  'a repeated click or a lost answer sends nothing twice, and nothing of the message is stored',
  () =>
    signedIn(async (tab, page) => {
      await write(page, '79005550118\n79005550119\n79005550118');
      await page.getByText('1 given twice, sent once').waitFor();
      const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel('Deadline').fill(`${day}T10:45`);
      const ids: string[] = [];
      let isRefused = false;
      const isLeft = Promise.withResolvers<void>();
      await page.route('**/push/bulk/single', async (route) => {
        if (isRefused) {
          await isLeft.promise;
          return route.fulfill({ status: 503, json: { status: 'REQUEST_LIMIT_EXCEEDED', errors: ['a'] } });
        }
        expect(route.request().postDataJSON().qos.deliverDue).toBe(`${day}T07:45:00.000Z`);
        const response = await route.fetch();
        ids.push(...((await response.json()) as { messageId: string }[]).map(({ messageId }) => messageId));
        // The first response is lost.
        await (ids.length === 2 ? route.abort() : route.fulfill({ response }));
      });
      await page.getByRole('button', { name: 'Check 2 numbers' }).click();
      const send = page.getByRole('button', { name: 'Send to 2 numbers' });
      await send.click();
      await page.getByText('The service cannot be reached').waitFor();
      const mayBeSent = page.getByText(
        'It may have been sent. Try again unchanged within 24 hours: it is not sent twice',
      );
      await mayBeSent.waitFor();
      // The list is read again at once, and by itself only every 15 s.
      const sends = page.getByRole('list', { name: 'Sends', exact: true });
      await sends.getByText(title).waitFor({ timeout: 8_000 });
      // A later try that is refused says nothing of the first one, and is reported also if the page was left.
      isRefused = true;
      await send.click();
      await openPage(tab, 'Keys');
      isLeft.resolve();
      await openPage(tab, 'Messages');
      await page.getByText('REQUEST_LIMIT_EXCEEDED').waitFor();
      await mayBeSent.waitFor();
      isRefused = false;
      // The deadline passes. It is checked for another message, but the same one may be sent again.
      await page.clock.setSystemTime(Date.now() + 3 * 86_400_000);
      await page.getByLabel('Title').fill('Другая');
      await page.getByText('Must be in the future.').waitFor();
      await page.getByLabel('Title').fill(title);
      await send.dblclick();
      await page.getByText('Not sent: none of the 2 numbers has the wallet app').waitFor();
      await page.clock.setSystemTime(Date.now());
      expect(await send.isDisabled()).toBe(true);
      expect(ids).toHaveLength(4);
      expect(ids.slice(2)).toEqual(ids.slice(0, 2));
      await page.getByLabel('Message id').fill(ids[1] ?? '');
      await page.getByRole('button', { name: 'Follow', exact: true }).click();
      await page.getByText('No more states follow').waitFor();
      await page.locator('button:focus', { hasText: 'Follow' }).waitFor();

      await page.getByRole('button', { name: 'Allow sending it again' }).click();
      await page.locator('section:focus', { hasText: 'New message' }).waitFor();
      await page.getByRole('button', { name: 'Check 2 numbers' }).click();
      await send.click();
      await page.getByText('Not sent: none of the 2 numbers has the wallet app').waitFor();
      expect(ids).toHaveLength(6);
      expect(ids.slice(4)).not.toEqual(ids.slice(0, 2));
      // Both sends are listed, not the tries of which they are made.
      const sent = page.getByRole('table', { name: 'Sent from this page' });
      expect(await sent.getByRole('cell', { name: '2 numbers' }).count()).toBe(2);
      // Whoever comes back to what was sent sees when, and that it was not sent just now.
      const requested = page
        .getByRole('status')
        .filter({ hasText: /^Not sent: none .* Requested .*UTC\+3\.$/ });
      const then = await requested.textContent();
      await page.getByLabel('Title').fill('Другая');
      await requested.waitFor({ state: 'detached' });
      await page.clock.fastForward(5_000);
      await page.getByLabel('Title').fill(title);
      expect(await requested.textContent()).toBe(then);
      expect(ids).toHaveLength(6);

      for (const secret of ['7900555', title]) expect(await stored(tab)).not.toContain(secret);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(tab, running.service.endpoints);
      expect(await page.getByLabel('Title').inputValue()).toBe('');
      expect(await page.getByText('Sent from this page').count()).toBe(0);
    }),
);
