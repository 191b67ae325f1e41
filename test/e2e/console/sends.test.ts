import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import { browserTest, openPage, seriousFindings, shownLater, signIn } from '../../support/browser.ts';
import { consoleFixture, heldTabLeaves, holdRequests, savedFile } from '../../support/console.ts';

const { running, visit, visitAt } = consoleFixture('/messages');

type Sent = { messageId: string; msisdn: number };

/** Sends to `count` numbers, of which the first `registered` have the wallet app. No two sends share a number. */
async function sendTo(from: number, { count, registered, title = 'Ёлки: скидка' }: Sending): Promise<Sent[]> {
  const msisdn = Array.from({ length: count }, (_, n) => from + n);
  const { partner, wallet } = running.service;
  await request(wallet, 'PUT /wallet/recipients', { registered: msisdn.slice(0, registered) });
  const payload = { title, message: 'Только сегодня' };
  const utm = { utmCampaign: 'весна' };
  const sent = await request(partner, 'POST /push/bulk/single', { pushType: 'PROMO', payload, utm, msisdn });
  return sent.body as Sent[];
}
type Sending = { count: number; registered: number; title?: string };

async function opened(messageId: string | undefined, count: number): Promise<void> {
  const ask = async () =>
    (await request(running.service.partner, `GET /push/${messageId}/report`)).body as { opened: number };
  await eventually('all are opened', ask, { until: ({ opened }) => opened === count });
}

function sends(page: Page) {
  return page.getByRole('region', { name: 'Sends of the last 30 days' });
}

browserTest('a send is listed with its funnel, and its report can be downloaded', () =>
  visit(async (tab, page) => {
    const sent = await sendTo(79_020_000_000, { count: 5, registered: 4 });
    await opened(sent[0]?.messageId, 4);
    await signIn(tab, running.service.endpoints);
    const list = sends(page);
    await list.getByText('Ёлки: скидка').scrollIntoViewIfNeeded();
    await list.getByText('Registered').waitFor();
    expect((await list.getByRole('definition').allTextContents()).filter(Boolean)).toEqual([
      '5',
      '4 · 80 %',
      '4 · 80 %',
      '4 · 80 %',
    ]);
    await list.getByRole('button', { name: 'Report of Ёлки: скидка' }).click();
    await list.getByText('{"utmCampaign":"весна"}').waitFor();
    await shownLater(tab, list.getByText('Nothing in this report can change any more'));
    for (const state of ['Delivered', 'Opened']) {
      const hours = list.getByRole('list', { name: `${state} by hour, UTC+3` }).getByRole('listitem');
      expect(await hours.count()).toBe(1);
      await hours.getByText(/:00:00 UTC\+3: 4$/).waitFor({ state: 'attached' });
    }
    expect(await seriousFindings(tab)).toEqual([]);

    const { name, lines } = await savedFile(page, 'Download as CSV');
    expect(name).toBe(`report-${sent[0]?.messageId}.csv`);
    expect(lines[0]).toBe(
      '\uFEFFmsisdn,messageId,state,acceptedAt,deliveredAt,openedAt,expiredAt,cancelledAt,utm',
    );
    expect(lines[1]).toContain(`79020000000,${sent[0]?.messageId},OPENED,`);
    expect(lines[5]).toContain(`79020000004,${sent[4]?.messageId},MSISDN_NOT_REGISTERED,`);
    expect(lines).toHaveLength(7);
  }),
);

browserTest('the overview shows the sends of seven days, or says that only the newest are counted', () =>
  visitAt('', async (tab, page) => {
    await sendTo(79_025_000_000, { count: 2, registered: 0 });
    await signIn(tab, running.service.endpoints);
    const week = page.getByRole('region', { name: 'Sends of the last 7 days' });
    const columns = week.getByRole('list', { name: 'Recipients by day' }).getByRole('listitem');
    await week.getByText(/^\d sends? to \d+ recipients, by the day of the request/).waitFor();
    expect(await columns.count()).toBe(1);
    expect(await week.getByText('Only the newest').count()).toBe(0);
    expect(await seriousFindings(tab)).toEqual([]);
    await page.route('**/push?limit=100', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), cursor: 'c' } });
    });
    // It is not read again as often as what costs less.
    const read = tab.urls.length;
    const readAgain = page.waitForResponse('**/callbacks/endpoint');
    await page.clock.fastForward(9 * 60_000);
    await readAgain;
    expect(tab.urls.slice(read).filter((url) => url.includes('/push?'))).toEqual([]);
    await shownLater(tab, week.getByText(/^Only the newest 100 sends are counted, from .* on\.$/));
  }),
);

browserTest('the overview shows at a glance whether callbacks get through', () =>
  visitAt('/callbacks?tab=endpoint', async (tab, page) => {
    let state: object = { maxPerSecond: 5, paceWaitingSince: '2026-05-20T12:00:00.000Z' };
    await page.route('**/callbacks/endpoint', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...state } });
    });
    await signIn(tab, running.service.endpoints);
    await page.getByText('At your pace').waitFor();
    await openPage(tab, 'Overview');
    const callbacks = page.getByRole('region', { name: 'Callbacks' });
    await callbacks.getByText('Callbacks are sent at your pace, and some wait.').waitFor();
    await callbacks.getByText('some, the oldest since 20 May 2026, 15:00:00 UTC+3').waitFor();
    state = { circuit: { state: 'OPEN', reason: 'FAILURES', until: '2026-05-20T12:00:00.000Z' } };
    const paused = 'Callbacks are paused because attempts failed, until 20 May 2026, 15:00:00 UTC+3';
    await shownLater(tab, callbacks.getByText(paused));
    state = { status: 'DISABLED', reason: 'answered 410' };
    await shownLater(
      tab,
      callbacks.getByText('Nothing is sent, because the endpoint is disabled (answered 410)'),
    );
    // The partner of this file has an endpoint but no service points.
    const steps = page.getByRole('region', { name: 'What to do first' }).getByRole('listitem');
    expect(await steps.count()).toBe(1);
    expect(await seriousFindings(tab)).toEqual([]);
  }),
);

browserTest('before a send to several numbers a dry run says how many would get it, and sends nothing', () =>
  visit(async (tab, page) => {
    const { wallet, partner } = running.service;
    await request(wallet, 'PUT /wallet/recipients', { registered: [79_030_000_000, 79_030_000_001] });
    await signIn(tab, running.service.endpoints);
    await page.getByLabel('Title').fill('Проверка');
    await page.getByLabel('Message', { exact: true }).fill('Кого это достигнет');
    const numbers = Array.from({ length: 12 }, (_, n) => 79_030_000_000 + n);
    await page.getByLabel('Numbers').fill(numbers.join('\n'));
    // A key that is held down, or pressed twice, only checks.
    await page.getByLabel('Title').press('Enter');
    await page
      .getByText('Would reach 2 of 12 numbers (17 %). 10 without the wallet app would get nothing')
      .waitFor();
    await page.getByLabel('Title').press('Enter');
    expect(await seriousFindings(tab)).toEqual([]);
    expect(JSON.stringify((await request(partner, 'GET /push?limit=100')).body)).not.toContain('Проверка');

    // The result is for this message and these numbers only.
    await page.getByLabel('Numbers').fill(numbers.slice(0, 11).join('\n'));
    const check = page.getByRole('button', { name: 'Check 11 numbers' });
    await heldTabLeaves(page, check);
    await check.focus();
    await page.keyboard.down('Enter');
    await page.getByText('Would reach 2 of 11 numbers (18 %).').waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    const requests = tab.urls.filter((url) => url.includes('/push/bulk/single'));
    expect(requests.map((url) => url.endsWith('?dryRun=true'))).toEqual([true, true]);

    // The draft cannot change while it is sent, because its failure is shown at it. A later failure replaces that one.
    const json = { status: 'RATE_LIMIT_EXCEEDED', errors: ['the send'] };
    const refuse = await holdRequests(page, '**/push/bulk/single', (route) =>
      route.fulfill({ status: 503, json }),
    );
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Title').isDisabled()).toBe(true);
    expect(await seriousFindings(tab)).toEqual([]);
    refuse();
    await page.getByRole('alert').getByText('the send').waitFor();
    await openPage(tab, 'Keys');
    await openPage(tab, 'Messages');
    await page.route('**/push/bulk/single?dryRun=true', (route) => route.abort(), { times: 1 });
    await check.click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await check.click();
    await page.getByRole('button', { name: 'Send to 11 numbers' }).click();
    await page.getByText('Sent to 2 of 11 numbers (the others have no wallet app)').waitFor();
    await sends(page).getByText('Проверка').waitFor();
  }),
);
