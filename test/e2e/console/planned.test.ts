import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import {
  browserTest,
  expectFits,
  openPage,
  seriousFindings,
  shownLater,
  signIn,
} from '../../support/browser.ts';
import { consoleFixture, holdRequests } from '../../support/console.ts';

const { running, visit, newKey } = consoleFixture('/messages');

const payload = { title: 'Скидка', message: 'Только сегодня' };

function register(registered: readonly number[]) {
  return request(running.service.wallet, 'PUT /wallet/recipients', { registered });
}

/** This time in some days, as a clock in Moscow shows it. */
function inDays(days: number): string {
  return new Date(Date.now() + (24 * days + 3) * 3_600_000).toISOString().slice(0, 16);
}

browserTest('rule 54: a send is planned, and taken back before its time, so that nobody gets it', () =>
  visit(async (tab, page) => {
    await register([79_041_000_001, 79_041_000_002]);
    await signIn(tab, running.service.endpoints);
    await page.getByLabel('Title').fill('Завтра в десять');
    await page.getByLabel('Message', { exact: true }).fill('Двойные баллы');
    await page.getByLabel('Numbers').fill('79041000001\n79041000002\n79041000003');
    await page.getByLabel('Send at').fill(inDays(1));
    await page.getByRole('button', { name: 'Check 3 numbers' }).click();
    await page.getByText('Would reach 2 of 3 numbers (67 %).').waitFor();
    await page.getByText('100,000 of 100,000 recipients are left in that minute.').waitFor();
    await page.getByRole('button', { name: 'Plan for 3 numbers' }).click();
    await page.getByText('Planned for 2 of 3 numbers (the others have no wallet app)').waitFor();

    const sends = page.getByRole('list', { name: 'Sends', exact: true });
    // The report of a send is read when the send comes into view.
    await sends.getByText(/^Planned for .* UTC\+3$/).scrollIntoViewIfNeeded();
    await sends.getByRole('button', { name: 'Take back Завтра в десять' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It was not sent yet: none of its 2 registered recipients gets it.').waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await shownLater(tab, sends.getByText('Taken back: 2 of 2 unopened messages are gone.'));
    expect(await sends.getByRole('button', { name: /^Take back/ }).count()).toBe(0);
    // The draft is there, and nobody gets it unless it is planned again.
    await page.getByText('Planned for 2 of 3 numbers').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Plan for 3 numbers' }).isEnabled()).toBe(true);
  }),
);

browserTest('rule 54: of a send that was handed over, only what nobody has opened disappears', () =>
  visit(async (tab, page) => {
    const { partner } = running.service;
    // The simulated wallet platform opens nothing for the last number.
    const msisdn = [79_042_000_001, 79_042_000_002, 79_999_990_003];
    await register(msisdn);
    const sent = await request(partner, 'POST /push/bulk/single', { pushType: 'PROMO', payload, msisdn });
    const { messageId } = (sent.body as { messageId: string }[])[0] ?? {};
    await eventually(
      'two opened, one delivered',
      async () => (await request(partner, `GET /push/${messageId}/report`)).body as Record<string, number>,
      { until: ({ opened, delivered }) => opened === 2 && delivered === 1 },
    );
    // A send is taken back even where its report cannot be read.
    const tooMany = { status: 'TOO_MANY_REQUESTS', errors: ['wait'] };
    await page.route('**/report', (route) => route.fulfill({ status: 429, json: tooMany }));
    await signIn(tab, running.service.endpoints);
    const sends = page.getByRole('list', { name: 'Sends', exact: true });
    const item = sends.getByRole('listitem').filter({ hasText: 'Скидка' });
    const takeBack = item.getByRole('button', { name: 'Take back Скидка' });
    await takeBack.waitFor();
    await page.unroute('**/report');
    await takeBack.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of 3 have not opened it; they disappear from phones.').waitFor();
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await shownLater(tab, item.getByText('Taken back: 1 of 1 unopened messages are gone.'));
    await item.getByRole('button', { name: 'Report of Скидка' }).click();
    const facts = await item.getByRole('group', { name: 'Report of Скидка' }).textContent();
    expect(facts).toMatch(/Delivered within\d+ s by half, \d+ s by 95 %Opened within\d+ s by half, \d+ s/);
    await expectFits(tab, 390);
    expect(await seriousFindings(tab)).toEqual([]);
  }),
);

browserTest('what the service refuses of a message stands at its fields', () =>
  visit(async (tab, page) => {
    await signIn(tab, running.service.endpoints);
    await page.getByLabel('Title').fill('Завтра');
    await page.getByLabel('Message', { exact: true }).fill('Двойные баллы');
    await page.getByLabel('Numbers').fill('79005550142');
    await page.getByLabel('Type').selectOption('PROMO');
    await page.getByLabel('Address of a picture').fill('ftp://a');
    const problemOf = (field: string) =>
      page.getByLabel(field).evaluate((input: HTMLInputElement) => {
        const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
        const error = ids.find((id) => id.endsWith('-error'));
        return error && document.getElementById(error)?.textContent;
      });
    for (const [start, deadline, problems] of [
      [8, 40, ['Must be at most 7 days ahead', 'Must be at most 30 days ahead']],
      [2, 1, ['Must be before the deadline', undefined]],
    ] as const) {
      await page.getByLabel('Send at').fill(inDays(start));
      await page.getByLabel('Deadline').fill(inDays(deadline));
      await page.getByRole('button', { name: 'Check 1 number' }).click();
      await page.getByText('Correct the fields that are marked.').waitFor();
      expect([await problemOf('Send at'), await problemOf('Deadline')]).toEqual(problems);
      expect(await problemOf('Address of a picture')).toBe('Must be an http or https URL');
    }
  }),
);

browserTest('rule 54: a planned message is followed and taken back, also if its page was left at once', () =>
  visit(async (tab, page) => {
    await request(running.service.partner, 'PUT /sandbox/phones/79005550141');
    // This key may not read callbacks, which have the ids of messages.
    await signIn(tab, await newKey({ role: 'messages' }));
    await page.getByLabel('Title').fill('Завтра');
    await page.getByLabel('Message', { exact: true }).fill('Двойные баллы');
    await page.getByLabel('Numbers').fill('79005550141');
    await page.getByLabel('Send at').fill(inDays(1));
    await page.getByRole('button', { name: 'Check 1 number' }).click();
    const release = await holdRequests(page, '**/push/delivery');
    const sent = page.waitForRequest('**/push/delivery');
    await page.getByRole('button', { name: 'Plan for 1 number' }).click();
    await sent;
    await openPage(tab, 'Phone');
    release();
    await openPage(tab, 'Messages');
    await page.getByText('Planned for 1 number').waitFor();
    await page.setViewportSize({ width: 400, height: 800 });
    const listed = page.getByRole('region', { name: 'Sent from this page' });
    await listed.getByText('Planned', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Follow it' }).click();
    const card = page.getByRole('region', { name: 'Follow a message' });
    await expect.poll(() => card.evaluate((e) => e.getBoundingClientRect().top < innerHeight)).toBe(true);
    const states = page.getByRole('region', { name: 'States' });
    const takeBack = states.getByRole('button', { name: /^Take back/ });
    await takeBack.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await states.getByText('CANCELLED', { exact: true }).waitFor();
    await states.getByText('It was taken back.').waitFor();
    expect(await takeBack.count()).toBe(0);
    expect(await page.getByText('Planned for 1 number').count()).toBe(0);
    await listed.getByText('Taken back', { exact: true }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
  }),
);
