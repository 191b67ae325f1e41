import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Partners, rememberPartners } from '../../local/partners.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { demoScript } from '../../ops/scenario/demo-script.ts';
import { reporter } from '../../ops/scenario/reporter.ts';
import { playScenario } from '../../ops/scenario/scenario.ts';
import { basic } from '../support/basic.ts';
import { functionLogs } from '../support/function-logs.ts';
import { type RunningService, startService } from '../support/service.ts';

const { path: stateDir, remove } = temporaryFolder('secrets');
const cardNumber = '9643907500000012';

let service: RunningService;
let partners: Partners;
let failedSteps = 0;
let receiverToken = '';
const secretCodes: string[] = [];

function keepCode(_route: string, { body }: Reply): void {
  const code = (body as { secretCode?: string } | null)?.secretCode;
  if (code !== undefined) secretCodes.push(code);
}

beforeAll(async () => {
  partners = rememberPartners(stateDir);
  service = await startService({ stateDir, retrySpeed: 100 });
  failedSteps = await runScenario();
  // The timeout covers all acts of the demo.
}, 240_000);
afterAll(async () => {
  await service.stop();
  remove();
});

/** Runs the acts of the demo, and sends invalid requests whose errors could repeat what was sent. */
async function runScenario(): Promise<number> {
  const report = reporter({ print: () => {}, narrate: true });
  const partner: Caller = { ...service.partner, onReply: keepCode };
  const other: Caller = { ...service.other, onReply: keepCode };
  const wallet: Caller = { ...service.wallet, onReply: keepCode };
  const receiver: Caller = { baseUrl: service.endpoints.partner?.url ?? '' };
  const { checkIn, ...script } = demoScript(100);
  const polling = { timeoutSeconds: 60, intervalMs: 100 };
  const callbackBasic = service.endpoints.partner?.basic;
  const actors = { report, polling, partner, wallet, other, receiver, callbackBasic, sandbox: true };
  await report.attempt(() => playScenario(actors, { ...script, checkIn: { ...checkIn, cardNumber } }));
  await sendInvalidRequests({ partner, wallet });
  const { body } = await request(partner, 'GET /sandbox/callbacks');
  receiverToken = new URL((body as { url: string }).url).pathname.split('.').at(-1) ?? '';
  return report.end();
}

const phone = '79001000001';

async function sendInvalidRequests({ partner, wallet }: Record<'partner' | 'wallet', Caller>): Promise<void> {
  const wish = { offerId: partner.offerId, placeId: 'new-1', cardNumber };
  await request(wallet, 'POST /wallet/check-ins', { ...wish, placeId: 'no such place' });
  await request(wallet, 'POST /wallet/check-ins', { ...wish, cardNumber: [cardNumber] });
  await request(wallet, 'PUT /wallet/recipients', { registered: [phone] });
  await request(partner, 'POST /push/delivery', { pushType: 'SERVICE', msisdn: phone, payload: {} });
  await request(partner, 'POST /push/delivery', `{"msisdn": ${phone}`);
  await request(partner, 'POST /push/bulk/single', { pushType: 'SERVICE', msisdn: [phone], payload: phone });
  await request(partner, 'POST /push/bulk/multi', [{ pushType: 'SERVICE', msisdn: -Number(phone) }]);
  await request(partner, 'POST /partner/api/checkin/register', { checkinNumber: cardNumber });
  for (const what of ['transactional-state', 'report']) await request(partner, `GET /push/${phone}/${what}`);
  await request(partner, `GET /places/sync/${phone}`);
  await request(wallet, `GET /wallet/offers/${phone}/places`);
  await request({ ...partner, offerId: cardNumber }, 'POST /places/sync', { places: [] });
}

function encoded({ login, secret }: { login: string; secret: string }) {
  return basic(login, secret).slice('Basic '.length);
}

/** Returns every secret of the scenario in each of its forms, with its name. */
function secrets(): [what: string, text: string][] {
  const ofPartners = (['main', 'other'] as const).flatMap((who): [string, string][] => {
    const { callback, ...partner } = partners[who];
    const signing = callback.webhookSecret.replace('whsec_', '');
    return [
      [`secret of ${who}`, partner.secret],
      [`Authorization of ${who}`, encoded(partner)],
      [
        `Authorization of ${who} with a wrong secret`,
        encoded({ ...partner, secret: `not ${partner.secret}` }),
      ],
      [`callback password of ${who}`, callback.secret],
      [`callback Authorization of ${who}`, encoded(callback)],
      [`signing secret of ${who}`, signing],
      [`signing secret of ${who} in hex`, Buffer.from(signing, 'base64').toString('hex')],
    ];
  });
  return [...ofPartners, ['address of a receiver', receiverToken]];
}

/** Returns the names of the secrets and personal data that a text contains. */
function leaksIn(text: string): string[] {
  return [
    ...secrets().flatMap(([what, secret]) => (text.includes(secret) ? [what] : [])),
    ...(/(?<!\d)7900100\d{4}(?!\d)/.test(text) ? ['a phone number'] : []),
    ...(text.includes(cardNumber) ? ['a card number'] : []),
  ];
}

test('the scenario passed, and what these tests look for would be found', () => {
  expect(failedSteps).toBe(0);
  expect(receiverToken).toHaveLength(43);
  expect(secrets()).toHaveLength(15);
  const all = secrets().map(([, secret]) => secret);
  expect(leaksIn(`${all.join(' ')} phone=${phone}, ${cardNumber}`)).toHaveLength(17);
  expect(secretCodes.length).toBeGreaterThan(0);
});

test('no line of any function contains a secret, the code of a check-in, or a whole number of a phone or a card', () => {
  const written = [...functionLogs(stateDir)].filter(([, log]) => log.length > 0);
  // These are all functions that the acts reach.
  expect(written.length).toBeGreaterThanOrEqual(31);
  expect(written.flatMap(([name, log]) => leaksIn(log).map((what) => `${name}: ${what}`))).toEqual([]);
  const text = written.join('');
  expect(text).toMatch(/"msisdnEnd":"100[12]"/);
  expect(text).toContain('"code":"OpenCheckIn"');
  // Four digits may also be the end of a phone number, which is left out.
  const others = text.replaceAll(/"msisdnEnd":"\d{4}"/g, '');
  expect(secretCodes.filter((code) => others.includes(`"${code}"`))).toEqual([]);
  expect(text).not.toContain('secretCode');
});
