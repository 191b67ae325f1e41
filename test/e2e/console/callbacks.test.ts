import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import { callbacksOf } from '../../../ops/scenario/callbacks-received.ts';
import { request } from '../../../ops/scenario/client.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import {
  browserTest,
  landmarks,
  openPage,
  seriousFindings,
  shownLater,
  signIn,
} from '../../support/browser.ts';
import { consoleFixture, loseResponse, storedSecret } from '../../support/console.ts';
import { fast } from '../../support/shared-service.ts';

const opened = 79_161_234_567;
/** The wallet platform reports only the delivery for this number. */
const neverOpened = 79_999_990_003;
const { running, signedIn, visit } = consoleFixture('/callbacks', { retrySpeed: fast });
beforeAll(async () => {
  await request(running.service.wallet, 'PUT /wallet/recipients', { registered: [opened, neverOpened] });
});

function receiver() {
  return { baseUrl: running.service.endpoints.partner?.url ?? '' };
}

/** Sets the receiver's behavior from now on, and clears what it has received. */
async function behave(how: object): Promise<void> {
  await request(receiver(), 'DELETE /received');
  await request(receiver(), 'POST /behave', how);
}

/** Resolves once this many attempts were refused, so that a page that reads afterwards shows them at once. */
function refused(times: number) {
  return eventually('refused attempts', async () => {
    const { body } = await request(receiver(), 'GET /received');
    return (body as { answered: number }[]).filter(({ answered }) => answered !== 200).length >= times;
  });
}

async function send(msisdn: number): Promise<string> {
  const { body } = await request(running.service.partner, 'POST /push/delivery', {
    pushType: 'SERVICE',
    msisdn,
    payload: { title: 'Стол готов', message: 'Ждём вас' },
    qos: { deliveryStatusNotifications: true },
  });
  return (body as { messageId: string }).messageId;
}

browserTest('callbacks that failed are seen, and delivered by a replay when the endpoint is fixed', () =>
  visit(async (tab, page) => {
    await behave({ status: 503 });
    const messageId = await send(neverOpened);
    await refused(10);
    await signIn(tab, running.service.endpoints);
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    const failed = page.getByRole('row', { name: messageId }).filter({ hasText: 'failed' });
    await shownLater(tab, failed);
    await failed.getByRole('button', { name: /10 attempts of/ }).click();
    await page
      .getByText(/HTTP 503 instead of 2xx/)
      .nth(9)
      .waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    expect(new URL(page.url()).search).toBe('?status=failed');

    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('HTTP 503: the response was not 2xx').waitFor();
    await behave({});
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('HTTP 200').waitFor();
    await page.getByText('webhook-signature: v1,').waitFor();

    await page.getByRole('tab', { name: 'Callbacks' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay callbacks' });
    const openReplay = page.getByRole('button', { name: /^Replay/ });
    const replay = dialog.getByRole('button', { name: 'Replay' });
    await openReplay.click();
    expect(await seriousFindings(tab)).toEqual([]);
    await dialog.getByLabel('Before', { exact: true }).fill('2020-01-01T00:00');
    await dialog.getByLabel('Not before').fill('2020-01-02T00:00');
    await replay.click();
    await dialog.getByText('Must be later than “Not before”').waitFor();
    await dialog.getByLabel('Not before').fill('');
    await replay.click();
    await page.getByText('Nothing was replayed').waitFor();
    await openReplay.click();
    await dialog.getByLabel('Before', { exact: true }).fill('');
    await replay.click();
    await page.getByText('1 callback is sent again.').waitFor();
    await callbacksOf(receiver(), [messageId], { count: 1 });
    await page.getByLabel('Status', { exact: true }).selectOption('delivered');
    await page.getByRole('row', { name: messageId }).filter({ hasText: 'HTTP 200' }).waitFor();
  }),
);

browserTest('what a disabled endpoint did not get is skipped, and replayed by selection', () =>
  visit(async (tab, page) => {
    await behave({ status: 410 });
    const messageId = await send(opened);
    await refused(1);
    await signIn(tab, running.service.endpoints);
    const skipped = page.getByRole('row', { name: messageId }).filter({ hasText: 'skipped' });
    await shownLater(tab, skipped.nth(1));
    await skipped.first().getByLabel(`Select message ${messageId}`).check();
    await page.getByRole('button', { name: 'Replay 1 selected' }).click();
    const refusal = page.getByText('they would be skipped again, enable the endpoint first');
    await refusal.waitFor();
    const byStatus = page.getByLabel('Status', { exact: true });
    await byStatus.selectOption('skipped');
    await refusal.waitFor({ state: 'detached' });
    // A user replays only callbacks of the page that is shown.
    await page.route(/\/callbacks\?/, async (route) => {
      if (route.request().url().includes('cursor=')) return route.fulfill({ json: { callbacks: [] } });
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), cursor: 'c' } });
    });
    const older = page.getByRole('button', { name: 'Older' });
    await shownLater(tab, older);
    await page.getByLabel(`Select message ${messageId}, DELIVERED`).check();
    await older.click();
    await page.getByRole('button', { name: 'Replay …' }).waitFor();
    await page.unroute(/\/callbacks\?/);
    await behave({});
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByText('DISABLED', { exact: true }).waitFor();
    const sending = page.getByText('Sending', { exact: true });
    expect(await sending.count()).toBe(0);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('ENABLED', { exact: true }).waitFor();
    expect(await sending.count()).toBe(1);
    await page.getByRole('link', { name: 'Changes and interruptions' }).click();
    const events = page.getByRole('table', { name: 'Events' });
    await events.getByRole('row', { name: /Endpoint enabled enabled/ }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Callbacks' }).click();
    await skipped.first().getByLabel(`Select message ${messageId}`).check();
    await page.getByRole('button', { name: 'Replay 1 selected' }).click();
    const delivered = page.getByRole('row', { name: messageId }).filter({ hasText: 'delivered' });
    await shownLater(tab, delivered.nth(1));
  }),
);

browserTest('the endpoint is edited by two people at once, and its signing secret rotated and retired', () =>
  signedIn(async (tab, page) => {
    const puts: unknown[] = [];
    page.on('request', (sent) => sent.method() === 'PUT' && puts.push(sent.postDataJSON()));
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const address = dialog.getByLabel('Address');
    const before = await address.inputValue();
    await address.fill('ftp://partner.example');
    await save.click();
    await page.getByText('Must be an absolute URL, beginning with https://').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    expect(await seriousFindings(tab, landmarks)).toEqual([]);
    await address.fill(before);
    await dialog.getByLabel('OPENED').uncheck();
    const pace = dialog.getByLabel('Callbacks a second');
    await pace.fill('2.5');
    await save.click();
    await dialog.getByText('Must be a whole number', { exact: true }).waitFor();
    await pace.fill('25');
    await request(running.service.partner, 'PUT /callbacks/endpoint', { timeoutSeconds: 7, log: 'failures' });
    await shownLater(tab, page.getByText('7 s', { exact: true }));
    await save.click();
    await page.getByText('DELIVERED, EXPIRED, CANCELLED', { exact: true }).waitFor();
    expect(puts.at(-1)).toEqual({ maxPerSecond: 25, states: ['DELIVERED', 'EXPIRED', 'CANCELLED'] });
    await page.getByRole('tab', { name: 'Callbacks' }).click();
    await page.getByLabel('Message id').fill(randomUUID());
    await page.keyboard.press('Enter');
    await page
      .getByText(/^No callback of this message is listed\..* delivered at once are not listed\./)
      .waitFor();
    const usual = { maxPerSecond: null, states: null, log: 'all' };
    await request(running.service.partner, 'PUT /callbacks/endpoint', usual);
    await page.getByRole('tab', { name: 'Endpoint' }).click();

    await page.getByRole('button', { name: 'Send a test' }).click();
    const outcome = page.getByText('This was sent:');
    await outcome.waitFor();
    const focused = (hasText: string) => page.locator('button:focus', { hasText }).waitFor();
    await focused('Send a test');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    // The secret of a lost response is replaced: the receiver knows the older one only.
    await loseResponse(page, '**/rotate');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('It may have been done').waitFor();
    const replacing = page.waitForRequest('**/rotate');
    await dialog.getByRole('button', { name: 'Replace the newer secret' }).click();
    expect((await replacing).postDataJSON()).toEqual({ replace: true });
    const secret = await storedSecret(page, /^whsec_/);
    expect(await outcome.count()).toBe(0);
    await page.getByRole('button', { name: 'Retire the older secret' }).click();
    await dialog.getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const ask = async (button: string) => {
      await page.getByRole('button', { name: button }).click();
      await dialog.getByRole('button', { name: button }).click();
    };
    await loseResponse(page, '**/disable');
    const readAgain = page.waitForResponse('**/callbacks/endpoint');
    await ask('Disable the endpoint');
    await readAgain;
    await dialog.getByText('It may have been done').waitFor();
    await dialog.getByRole('button', { name: 'Disable the endpoint' }).click();
    await focused('Enable the endpoint');
    await ask('Enable the endpoint');
    await focused('Disable the endpoint');
  }),
);

browserTest(
  'rule 58: callbacks are read from a feed once that is chosen, and posted to the same address later',
  () =>
    visit(async (tab, page) => {
      const puts: unknown[] = [];
      page.on('request', (sent) => sent.method() === 'PUT' && puts.push(sent.postDataJSON()));
      await signIn(tab, running.service.endpoints);
      await page.getByRole('tab', { name: 'Endpoint' }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('How you get callbacks').selectOption('feed');
      await dialog.getByLabel('Address').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('your feed, GET /callbacks/feed').waitFor();
      for (const name of ['Send a test', 'Examine'])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
      await openPage(tab, 'Overview');
      const overview = page.getByRole('region', { name: 'Callbacks' });
      expect(await overview.textContent()).toContain('Endpointyour feed, GET /callbacks/feed');
      await overview.getByText('Callbacks are in your feed.').waitFor();
      await page.goBack();
      await page.getByRole('tab', { name: 'Endpoint' }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel('How you get callbacks').selectOption('post');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Send a test' }).waitFor();
      expect(puts).toEqual([{ mode: 'feed' }, { mode: 'post' }]);
    }),
);
