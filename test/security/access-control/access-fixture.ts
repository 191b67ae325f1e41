import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Caller, type Reply, request } from '../../../ops/scenario/client.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { type KeyStore, keyStore } from '../../../shared/partners/key-store.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { checkInCounterKey } from '../../../shared/platform/table/row-keys/check-ins.ts';
import { promotionCounterKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import { limitedUseKey } from '../../../shared/platform/table/row-keys/requests.ts';
import { phonesKey } from '../../../shared/platform/table/row-keys/sandbox.ts';
import { deleteRow, updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { connectLocalTable, type Table } from '../../../shared/platform/table/table.ts';
import { phoneStore } from '../../../shared/sandbox/phone-store.ts';
import { basic } from '../../support/basic.ts';
import { finishedSession, type RunningService, startService } from '../../support/service.ts';

/** One id of everything that a partner owns. */
type OwnedIds = Awaited<ReturnType<typeof createOwned>>;

export type AccessFixture = Awaited<ReturnType<typeof startAccessFixture>>;

const bars = { partnerId: 'bars', offerId: 'bars-of-moscow' };
const bakery = { partnerId: 'bakery', offerId: 'bakery-club' };
const phone = 79_001_234_567;
const signingSecret = 'c2lnbmluZyBzZWNyZXQ=';
const push = { pushType: 'SERVICE', payload: { title: 'Bar', message: 'Ready' } };

/**
 * Numbers count up per partner. Those of bars begin with 17, which is in the document's examples, and those of the other
 * partner where bars never comes.
 */
const lastNumbers = { partner: 16, other: 900 };

export type FixtureOfTwo = AccessFixture & { foreign: OwnedIds };

/** Starts the whole service with a partner that owns one of everything, and with a disabled partner. */
async function startAccessFixture() {
  // The real speed is enough: no test needs a retry, and the schedule would otherwise run twice a second.
  const service = await startService({ retrySpeed: 1 });
  const { baseUrl, login, secret } = service.endpoints;
  const table = tableOf(service);
  const adminStore = partnerAdminStore(table);
  await adminStore.addOffer('bars', 'bars-of-tver');
  const closed = { login: 'closed', partnerId: 'closed', offerIds: ['closed-club'] };
  await adminStore.create({ ...firstKey(closed, 'closed-secret', 0), disabled: true });

  const secretCodes: string[] = [];
  const endpointSecrets = new Set([signingSecret]);
  const wallet = { ...service.wallet, onReply: keepCode };
  function keepCode(_route: string, { body }: Reply): void {
    secretCodes.push((body as { secretCode: string }).secretCode);
  }
  const checkIn = () => openCheckIn(wallet, 'bars-of-moscow');
  await signingSecrets(table).signedByOne();
  const own = await createOwned(service, 'partner', checkIn);
  return {
    service,
    table,
    baseUrl,
    secret,
    /** Secrets of keys that were sent or shown, in each form in which a log or a row could have them. */
    secrets: new Set([secret, ...[secret, mistyped(secret)].map((one) => basic(login, one).slice(6))]),
    /** What only the rows of endpoints contain: signing secrets, passwords, tokens in the addresses of receivers. */
    endpointSecrets,
    secretCodes,
    /** The Authorization header of bars, the partner that sends the requests. */
    credentials: basic(login, secret),
    own,
    freshCheckIn: checkIn,
    ...freshKeys(keyStore(table)),
    ...signingSecrets(table),
    disabled: async () => {
      await signingSecrets(table).signedByOne();
      await request(service.partner, 'POST /callbacks/endpoint/disable');
    },
    onePhone: () => onePhone(table, 'bars', own),
    /** Returns a callback to the receiver of bars whose signature is valid. */
    signedCallback: async () => {
      await signingSecrets(table).signedByOne();
      const { url } = (await request(service.partner, 'PUT /sandbox/callbacks', { status: 200 })).body as {
        url: string;
      };
      const { pathname } = new URL(url);
      endpointSecrets.add(pathname.split('.').at(-1) ?? '');
      const id = randomUUID();
      const body = '{}';
      const sentAt = new Date();
      return {
        path: pathname,
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
          'webhook-signature': new Webhook(`whsec_${signingSecret}`).sign(id, sentAt, body),
        },
      };
    },
    /** Deletes the count of test callbacks in this minute, of which a partner may make ten. */
    roomForTests: async () => {
      await deleteRow(table, limitedUseKey('CALLBACKTESTS', 'bars', Math.floor(Date.now() / 60_000)));
      await deleteRow(table, limitedUseKey('EXAMINATIONS', 'bars', Math.floor(Date.now() / 600_000)));
    },
  };
}

/** A wrong secret, which looks much like the right one. */
export function mistyped(secret: string): string {
  return `${secret.slice(0, -1)}~`;
}

/** Gives the endpoint of bars one signing secret, or two, and alerts an address. */
function signingSecrets(table: Table) {
  const signedBy = (partnerId: string, ...createdAt: number[]) =>
    endpointStore(table).save({
      partnerId,
      url: 'http://127.0.0.1:9/',
      signingSecrets: createdAt.map((at) => ({ secret: `whsec_${signingSecret}`, createdAt: at })),
      timeoutMs: 15_000,
      status: 'enabled',
    });
  return {
    signedByOne: () => signedBy('bars', 1),
    signedByTwo: () => signedBy('bars', 1, 2),
    withAlerts: () => signedBy('bars#alerts', 1),
  };
}

function freshKeys(keys: KeyStore) {
  /** Removes keys that earlier requests made, because a partner may have only 20. */
  const roomForKeys = async () => {
    const made = (await keys.list('bars')).filter(({ login, label }) => login !== 'bars' && label !== 'kept');
    for (const { login } of made.slice(0, -4)) await keys.remove('bars', login, { atMs: 0 });
  };
  /** Returns the login of a new key of bars, with two secrets if requested. */
  const freshKey = async (state?: 'rotating') => {
    await roomForKeys();
    const login = `fresh-${randomUUID()}`;
    const secret = { digest: 'none', createdAt: 0 };
    const made = await keys.create('bars', { login, role: 'messages', secret });
    if (state === 'rotating' && made.outcome === 'created')
      await keys.rotate(made.key, { digest: 'none either', createdAt: 1 }, { atMs: 1 });
    return login;
  };
  return { freshKey, roomForKeys };
}

/** Creates a key of bars, and returns its Authorization header. */
export async function newKey(
  { service, secrets }: AccessFixture,
  key: Record<string, unknown>,
): Promise<string> {
  const { body } = await request(service.partner, 'POST /keys', key);
  const { login, secret } = body as { login: string; secret: string };
  const authorization = basic(login, secret);
  secrets.add(secret).add(authorization.slice('Basic '.length));
  return authorization;
}

export function credentialsOf(authorization: string): { login: string; secret: string } {
  const [login = '', secret = ''] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
  return { login, secret };
}

export function loginOf(authorization: string): string {
  return credentialsOf(authorization).login;
}

let shared: Promise<AccessFixture> | undefined;

/** Returns the fixture of the `*.shared.ts` files. Their tests must leave bars able to do everything. */
export function sharedAccessFixture(): Promise<AccessFixture> {
  shared ??= startAccessFixture();
  return shared;
}

/** Gives the other partner one of everything, too. */
export async function withForeignIds(fixture: AccessFixture): Promise<FixtureOfTwo> {
  const { service } = fixture;
  const foreign = await createOwned(service, 'other', () => openCheckIn(service.wallet, 'bakery-club'));
  await onePhone(tableOf(service), 'bakery', foreign);
  return { ...fixture, foreign };
}

/** Both partners have a phone with the same number. */
async function onePhone(table: Table, partnerId: string, { messageId }: OwnedIds): Promise<void> {
  const phones = phoneStore(table);
  await deleteRow(table, phonesKey(partnerId));
  await phones.add(partnerId, phone, Date.now());
  const content = { ...push, pushType: 'SERVICE' as const };
  await phones.show(partnerId, [
    { messageId, msisdn: phone, content, acceptedAt: 0, deliveredAt: Date.now() },
  ]);
}

/** Each check-in has a card of its own. */
async function openCheckIn(wallet: Caller, offerId: string): Promise<number> {
  const body = { offerId, placeId: 'place-1', cardNumber: randomUUID() };
  return read(await request(wallet, 'POST /wallet/check-ins', body), 'checkinNumber') as number;
}

function tableOf({ endpoints }: RunningService): Table {
  return connectLocalTable(endpoints.tableName, endpoints.dynamodb);
}

async function createOwned(
  service: RunningService,
  whose: 'partner' | 'other',
  checkIn: () => Promise<number>,
) {
  const ask = (route: string, body: unknown) => request(service[whose], route, body);
  const placeIds = whose === 'partner' ? ['place-1', 'hall/1'] : ['place-1', 'bakery/only', 'bakery-only'];
  const places = placeIds.map((itemId) => ({ itemId, placeInfo: { address: 'Arbat, 1' } }));
  const started = await ask('POST /places/sync', { places });
  await finishedSession(service[whose], started);
  const single = await ask('POST /push/delivery', { ...push, msisdn: phone });
  const bulk = await ask('POST /push/bulk/single', { ...push, msisdn: [phone] });
  const { partnerId, offerId } = whose === 'partner' ? bars : bakery;
  for (const [Key, name] of [
    [checkInCounterKey(offerId), 'lastNumber'],
    [promotionCounterKey(partnerId), 'lastId'],
  ] as const)
    await updateRow(tableOf(service), { Key, ...updateExpression({ set: { [name]: lastNumbers[whose] } }) });
  const promotion = { name: 'Two for one', startDate: '2020-01-01T00:00:00+03' };
  const promoId = read(await ask('POST /promo/v1/create', promotion), 'promoId') as number;
  return {
    sessionId: read(started, 'sessionId') as string,
    messageId: read(single, 'messageId') as string,
    bulkMessageId: (bulk.body as { messageId: string }[])[0]?.messageId ?? '',
    checkinNumber: await checkIn(),
    promoId,
  };
}

function read({ status, body }: { status: number; body: unknown }, member: string): unknown {
  if (status !== 200) throw new Error(`the fixture could not be set up: ${status} ${JSON.stringify(body)}`);
  return (body as Record<string, unknown>)[member];
}
