import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, seriousFindings, shownLater, signIn, type Tab } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';
import { finishedSession } from '../../support/service.ts';

const phone = '79005550117';
const title = 'Ваша карта привилегий готова к использованию';
const message =
  'Здравствуйте, Александра Константиновна! Двойные баллы за первый заказ в любом из наших баров.';

const { newKey, running, signedIn, urlOf, visit } = consoleFixture('/messages');
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

/** Returns everything that is stored outside the memory of the page. */
function stored({ page }: Tab): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
}

browserTest('a push arrives on the phone, is opened by a tap, and is OPENED with its callbacks', () =>
  signedIn(async (tab, page) => {
    await page.getByLabel('Number of the phone').fill(phone);
    await page.getByRole('button', { name: 'Put phone' }).click();
    await page.getByText('No message is shown on this number').waitFor();
    await write(page, '');
    await page.getByRole('button', { name: 'Add the phone' }).click();
    await page.getByLabel('utmSource').fill('весна');
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByText('Sent to 1 number').waitFor();

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
    const callbacks = page.getByRole('region', { name: 'Callbacks' });
    await shownLater(tab, callbacks.getByRole('row', { name: /DELIVERED delivered 200/ }));
    await shownLater(tab, callbacks.getByRole('row', { name: /OPENED delivered 200/ }));
    expect(await seriousFindings(tab)).toEqual([]);

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

browserTest('the phones of a partner are found again after signing in, by another key too', () =>
  visit(async (tab, page) => {
    const { partner } = running.service;
    for (const msisdn of ['79005550132', '79005550131'])
      await request(partner, `PUT /sandbox/phones/${msisdn}`);
    const made = await newKey({ role: 'messages' });
    await signIn(tab, made);
    await page.getByRole('link', { name: 'Phone', exact: true }).click();
    const phones = page.getByRole('button', { name: /^\+7900555013/ });
    await phones.first().waitFor();
    expect(await phones.allTextContents()).toEqual(['+79005550131', '+79005550132']);
    expect(await seriousFindings(tab)).toEqual([]);
    await page.getByRole('button', { name: '+79005550132' }).click();
    await page.getByText('No message is shown on this number').waitFor();
    await page.getByRole('button', { name: 'Remove phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove phone' }).click();
    await expect.poll(() => phones.allTextContents()).toEqual(['+79005550131']);
  }),
);

browserTest('a repeated click or a lost answer sends nothing twice, and nothing of it is stored', () =>
  signedIn(async (tab, page) => {
    await write(page, '79005550118\n79005550119\n79005550118');
    await page.getByText('1 given twice, sent once').waitFor();
    const ids: string[] = [];
    await page.route('**/push/bulk/single', async (route) => {
      const response = await route.fetch();
      ids.push(...((await response.json()) as { messageId: string }[]).map(({ messageId }) => messageId));
      // The first response is lost.
      await (ids.length === 2 ? route.abort() : route.fulfill({ response }));
    });
    await page.getByRole('button', { name: 'Check 2 numbers' }).click();
    const send = page.getByRole('button', { name: 'Send to 2 numbers' });
    await send.click();
    await page.getByText('The service cannot be reached').waitFor();
    await send.dblclick();
    await page.getByText('Sent to 2 numbers').waitFor();
    expect(await send.isDisabled()).toBe(true);
    expect(ids).toHaveLength(4);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    await page.getByRole('button', { name: 'Follow 79005550119' }).click();
    await page.getByText('No more states follow').waitFor();
    expect(page.url()).toBe(`${urlOf()}?id=${ids[1]}`);

    await page.getByRole('button', { name: 'Send it once more' }).click();
    await send.click();
    await page.getByText('Sent to 2 numbers').waitFor();
    expect(ids).toHaveLength(6);
    expect(ids.slice(4)).not.toEqual(ids.slice(0, 2));

    for (const secret of ['7900555', title]) expect(await stored(tab)).not.toContain(secret);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(tab, running.service.endpoints);
    await page.getByText('What you send is listed here').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('');
  }),
);

browserTest(
  'a message is sent with a deadline, and what is wrong with the deadline stands at its field',
  () =>
    signedIn(async (tab, page) => {
      await page.getByText('First write a title, a message and a number to send to.').waitFor();
      await write(page, '79005550121');
      const deadline = page.getByLabel('Deadline');
      await deadline.press('1');
      await page.getByText('Write the whole date and time, or clear both').waitFor();
      await page.getByText('First correct the fields that are marked.').waitFor();
      expect(await page.getByRole('button', { name: 'Send to 1 number' }).isDisabled()).toBe(true);
      await deadline.fill('2020-01-01T00:00');
      await page.getByText('Must be in the future.').waitFor();
      const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      await deadline.fill(`${day}T10:45`);
      await page.getByText(/That is .* 10:45:00 UTC\+3\./).waitFor();

      const errors = ['qos.deliverDue: must be in the future'];
      const refusal = { status: 400, json: { status: 'REQUEST_INVALID', errors } };
      await page.route('**/push/delivery', (route) => route.fulfill(refusal), { times: 1 });
      await page.getByRole('button', { name: 'Send to 1 number' }).click();
      await page.getByText('Must be in the future', { exact: true }).waitFor();
      expect(await deadline.getAttribute('aria-invalid')).toBe('true');
      const sending = page.waitForRequest('**/push/delivery');
      await page.getByRole('button', { name: 'Send to 1 number' }).click();
      expect((await sending).postDataJSON().qos.deliverDue).toBe(`${day}T07:45:00.000Z`);
      await page.getByText('Sent to 1 number').waitFor();
      expect(await seriousFindings(tab)).toEqual([]);
    }),
);

browserTest(
  'the page begins with the sends, also at a phone, and the preview names the partner, not the key',
  () =>
    visit(async (tab, page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const made = await newKey({ role: 'messages' });
      await signIn(tab, made);
      const form = await page.getByRole('region', { name: 'New message' }).boundingBox();
      const list = await page.getByRole('region', { name: 'Sends of the last 30 days' }).boundingBox();
      expect(list?.y).toBeLessThan(200);
      expect(form?.y).toBeGreaterThan(list?.y ?? 0);
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText(running.service.endpoints.partnerId, { exact: true }).waitFor();
      expect(await preview.textContent()).not.toContain(made.login);
    }),
);

browserTest('ten thousand answers are shown a page at a time', () =>
  signedIn(async ({ page }) => {
    const numbers = Array.from({ length: 10_001 }, (_, n) => 79_010_000_000 + n);
    const paste = (text: string) =>
      page.getByLabel('Numbers').evaluate((field, pasted) => {
        // Sets the value as React sees a paste. Typing this many lines would take seconds.
        const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
        own?.set?.call(field, pasted);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }, text);
    await write(page, '');
    await paste(numbers.join('\n'));
    await page.getByText('A request takes 10,000 numbers at most').waitFor();
    await paste(numbers.slice(1).join('\n'));
    await page.getByRole('button', { name: 'Check 10,000 numbers' }).click();
    await page.getByText('Would reach 0 of 10,000 numbers (0 %).').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Send to 10,000 numbers' }).click();
    await page.getByText('1–10 of 10,000').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Page 1000' }).click();
    await page.getByText('9,991–10,000 of 10,000').waitFor();
    await page.getByText('79010010000', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(30);
  }),
);

browserTest('an observer follows a message with its callbacks, and can send none', () =>
  visit(async (tab, page) => {
    const { partner } = running.service;
    const content = { pushType: 'SERVICE', payload: { title, message } };
    const sent = await request(partner, 'POST /push/delivery', { ...content, msisdn: 79_005_550_120 });
    const { messageId } = sent.body as { messageId: string };
    await signIn(tab, await newKey({ role: 'observer' }));
    await page.getByText('A key of an observer sends nothing').waitFor();
    await page.getByLabel('Message id').fill(messageId);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'States' }).getByRole('row').nth(1).waitFor();
    await page.getByRole('region', { name: 'Callbacks' }).getByText('None is listed').waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(1);
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /^(Send|Check)/ })
        .count(),
    ).toBe(0);
  }),
);
