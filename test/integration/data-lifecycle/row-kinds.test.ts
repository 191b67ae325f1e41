import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Row } from '../../../shared/platform/table/batches.ts';
import * as callbacksKeys from '../../../shared/platform/table/row-keys/callbacks.ts';
import * as checkInsKeys from '../../../shared/platform/table/row-keys/check-ins.ts';
import * as eventsKeys from '../../../shared/platform/table/row-keys/events.ts';
import * as partnersKeys from '../../../shared/platform/table/row-keys/partners.ts';
import * as placesKeys from '../../../shared/platform/table/row-keys/places.ts';
import * as promotionsKeys from '../../../shared/platform/table/row-keys/promotions.ts';
import * as pushKeys from '../../../shared/platform/table/row-keys/push.ts';
import * as requestsKeys from '../../../shared/platform/table/row-keys/requests.ts';
import * as rowKey from '../../../shared/platform/table/row-keys/row-key.ts';
import * as sandboxKeys from '../../../shared/platform/table/row-keys/sandbox.ts';
import * as workersKeys from '../../../shared/platform/table/row-keys/workers.ts';
import {
  kindOf,
  parkedQueues,
  partitionPatterns,
  rowKinds,
} from '../../../shared/platform/table/row-kinds.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { fillPartner } from '../../rehearsal/sample-partner.ts';
import { noon } from '../../support/clock.ts';
import { newTable } from '../../support/table.ts';

const keys = {
  ...callbacksKeys,
  ...checkInsKeys,
  ...eventsKeys,
  ...partnersKeys,
  ...placesKeys,
  ...promotionsKeys,
  ...pushKeys,
  ...requestsKeys,
  ...rowKey,
  ...sandboxKeys,
  ...workersKeys,
};

const { alone } = keys;

const bulkRequest = { callerId: 'bars', operation: 'SendBulk', key: 'a # b' };
const uuid = '5d3b7a0e-0000-4000-8000-000000000001';

/** The rows that each export of the folder makes: key, kind, and the owner in the key; empty if it makes none. */
const built: Record<string, [rowKey.RowKey, string, string?][]> = {
  alone: [],
  loginKey: [[keys.loginKey('bars-api'), 'key']],
  offerKey: [[keys.offerKey('bars-of-moscow'), 'offer']],
  partnersPartition: [],
  partnerKey: [[keys.partnerKey('bars'), 'partner entry', 'bars']],
  placesPartition: [],
  placeKey: [[keys.placeKey('bars-of-moscow', 'a # b'), 'service point', 'bars-of-moscow']],
  sessionsPartition: [],
  sessionKey: [[keys.sessionKey('o', uuid), 'sync session', 'o']],
  removalGuardKey: [[keys.removalGuardKey('o'), 'removal guard', 'o']],
  syncErrorsKey: [[keys.syncErrorsKey('o', uuid, 2), 'rejected elements', 'o']],
  syncChangesKey: [[keys.syncChangesKey('o', uuid), 'changes of a list', 'o']],
  listPartKey: [[keys.listPartKey('o', uuid, 2), 'part of a list', 'o']],
  checkInCounterKey: [[keys.checkInCounterKey('o'), 'check-in counter', 'o']],
  checkInsPartition: [],
  activeCheckInKey: [[keys.activeCheckInKey('o', 'place # 1', '96'), 'active check-in', 'o']],
  checkInKey: [[keys.checkInKey('o', 7), 'check-in by number', 'o']],
  promotionCounterKey: [[keys.promotionCounterKey('bars'), 'promotion counter', 'bars']],
  promotionsPartition: [],
  promotionItemPrefix: [],
  promotionItemKey: [[keys.promotionItemKey('bars', 1), 'promotion in lists', 'bars']],
  promotionKey: [[keys.promotionKey('bars', 1), 'promotion', 'bars']],
  idempotencyKey: [[keys.idempotencyKey(bulkRequest), 'idempotency key', 'bars']],
  keptResponseKey: [
    [keys.keptResponseKey(keys.idempotencyKey(bulkRequest), 'request'), 'kept response', 'bars'],
  ],
  parkedPartition: [],
  parkedKey: [[keys.parkedKey('callbacks', 'm'), 'parked message']],
  heartbeatKey: [[keys.heartbeatKey(29_000_000), 'heartbeat']],
  isHeartbeat: [],
  recipientKey: [[keys.recipientKey(79001234567), 'recipient']],
  phonesKey: [[keys.phonesKey('bars'), 'phones', 'bars']],
  phonePartition: [],
  shownMessageKey: [
    [keys.shownMessageKey(keys.phonePartition('bars', 79001234567), 1, uuid), 'message on a phone', 'bars'],
  ],
  receiverKey: [[keys.receiverKey('bars'), 'receiver', 'bars']],
  receivedPartition: [],
  removedKey: [[keys.removedKey(uuid, 0), 'removed messages']],
  receivedKey: [[keys.receivedKey('bars', 7), 'received callback', 'bars']],
  rateWindowKey: [[keys.rateWindowKey('bars', 29_000_000), 'rate of a minute', 'bars']],
  messageKey: [[keys.messageKey(uuid), 'single message']],
  messageStateKey: [[keys.messageStateKey(uuid), 'states of a message']],
  bulkStatesKey: [[keys.bulkStatesKey('b', 1), 'states of a bulk send']],
  parseStatesKey: [],
  bulkKey: [[keys.bulkKey('b'), 'bulk send']],
  parseBulkKey: [],
  bulkPartKey: [[keys.bulkPartKey('b', 1), 'part of a bulk send']],
  sendsPartition: [
    [{ pk: keys.sendsPartition('bars'), sk: keys.sortByTime(1, 'b') }, 'send in lists', 'bars'],
  ],
  deadlineKey: [[keys.deadlineKey(uuid), 'deadline']],
  parseDeadlineKey: [],
  deadlineShards: [],
  deadlineShardOf: [],
  endpointPartition: [],
  endpointKey: [
    [keys.endpointKey('bars', 'SETTINGS'), 'endpoint', 'bars'],
    [keys.endpointKey('bars', 'CIRCUIT'), 'circuit', 'bars'],
    [keys.endpointKey('bars', 'PACE'), 'pace', 'bars'],
    [keys.endpointKey('bars#alerts', 'SETTINGS'), 'endpoint', 'bars'],
    [keys.endpointKey('bars#alerts', 'CIRCUIT'), 'circuit', 'bars'],
  ],
  examinationKey: [[keys.examinationKey('bars'), 'examination', 'bars']],
  eventsPartition: [],
  isEventKey: [],
  parseEventKey: [],
  eventRanges: [],
  rangeOfKind: [],
  eventKey: [
    [keys.eventKey('bars', 'others', '019e4541-ca00-7d11-b600-a1ab44b848c0'), 'event', 'bars'],
    [keys.eventKey('bars', 'notices', '019e4541-ca00-7d11-b600-a1ab44b848c0'), 'event', 'bars'],
  ],
  limitedUseKey: [
    [keys.limitedUseKey('CALLBACKTESTS', 'bars', 29_000_000), 'callback tests of a minute', 'bars'],
    [keys.limitedUseKey('EXAMINATIONS', 'bars', 2_900_000), 'examinations of ten minutes', 'bars'],
    [keys.limitedUseKey('REPLAYS', 'bars', 2_900_000), 'replays of ten minutes', 'bars'],
    [keys.limitedUseKey('REPORTS', 'bars', 29_000_000), 'reports of a minute', 'bars'],
  ],
  requestsKey: [[keys.requestsKey('bars', 'tills', 176_000_000), 'requests of a window', 'bars']],
  parseEndpointKey: [],
  buckets: [],
  bucketOf: [],
  callbacksPartition: [],
  callbacksOfMessagePrefix: [],
  callbackKey: [
    [keys.callbackKey('bars', uuid, 'OPENED'), 'callback', 'bars'],
    [keys.callbackKey('bars#alerts', uuid, 'ALERT'), 'callback', 'bars'],
  ],
  failedCallbacksKey: [[keys.failedCallbacksKey('bars'), 'failed callbacks', 'bars']],
  parseFailedCallbacksKey: [],
  failedShard: [],
  deliveredPartition: [
    [{ pk: keys.deliveredPartition('bars', 1), sk: keys.sortByTime(1, 'm') }, 'delivered callbacks', 'bars'],
  ],
  sortByTime: [],
  numbered: [],
  dueShards: [],
  dueShardOf: [],
  deferredShardKey: [],
  listedShardKey: [],
  openShard: [],
  drainingShard: [],
};

test('every export of the folder of row keys is known here: who adds a key says what kind of row it makes', () => {
  expect(Object.keys(built).sort()).toEqual(Object.keys(keys).sort());
});

test('every key is of its kind, and of its owner where the key names one', () => {
  for (const [key, name, owner] of Object.values(built).flat()) {
    const found = kindOf(key);
    expect([key.pk, found.kind.name, found.owner]).toEqual([key.pk, name, owner]);
    expect(rowKinds.filter(({ pattern }) => pattern.test(`${key.pk} ${key.sk}`))).toHaveLength(1);
  }
});

test('the partition that roles name for a kind is that of its keys, and of no kind in another partition', () => {
  for (const [key, name] of Object.values(built).flat()) {
    const matching = rowKinds.filter((kind) =>
      partitionPatterns([kind.name]).some((pattern) =>
        pattern.endsWith('#*') ? key.pk.startsWith(pattern.slice(0, -1)) : key.pk === pattern,
      ),
    );
    expect(matching.map((kind) => kind.name)).toContain(name);
    const [before] = key.pk.split('#');
    expect(new Set(matching.flatMap((kind) => partitionPatterns([kind.name])))).toEqual(
      new Set([key.pk === before ? before : `${before}#*`]),
    );
  }
  expect(partitionPatterns(['partner entry', 'circuit', 'endpoint'])).toEqual(['PARTNERS', 'ENDPOINT#*']);
});

test('every kind has a key that makes it', () => {
  const made = new Set(
    Object.values(built)
      .flat()
      .map(([, name]) => name),
  );
  expect(rowKinds.map(({ name }) => name).filter((name) => !made.has(name))).toEqual([]);
});

test('rows carry a time to live exactly when their kind expires', async () => {
  const table = await newTable();
  await fillPartner(table, {
    partnerId: 'bars',
    offerId: 'bars-of-moscow',
    firstNumber: 79_000_000_000,
    places: 1,
    nowMs: noon,
  });
  await recipientStore(table).update({ registered: [79_000_000_000], unregistered: [] });
  const rows = (await table.rows()) as Row[];
  const differ = rows.filter((row) => (kindOf(row).kind.end === 'expires') !== 'expiresAt' in row);
  expect(differ).toEqual([]);
  expect(new Set(rows.map((row) => kindOf(row).kind.name)).size).toBe(rowKinds.length);
});

test('a kind of row that a newer version wrote stops the tool', () => {
  expect(() => kindOf(alone('INVOICE#bars'))).toThrow(
    'The table has a kind of row that this version does not know (INVOICE): use the newer one.',
  );
});

test('every name under which a function sets messages aside is known', () => {
  const sources = readdirSync('functions', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`functions/${file}`, 'utf8'));
  const names = sources.flatMap((code) => [
    ...[...code.matchAll(/\bpark(?:Message)?\([^)]*queue: '([\w-]+)'/g)].map(([, name]) => name),
    ...[...code.matchAll(/streamToQueue\(\s*'(\w+)'/g)].map(([, name]) => name),
  ]);
  expect([...new Set(names)].sort()).toEqual([...parkedQueues].sort());
});
