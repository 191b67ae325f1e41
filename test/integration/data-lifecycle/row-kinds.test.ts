import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { callbackKey, endpointKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { activeCheckInKey } from '../../../shared/platform/table/row-keys/check-ins.ts';
import { placeKey } from '../../../shared/platform/table/row-keys/places.ts';
import { idempotencyKey, keptResponseKey } from '../../../shared/platform/table/row-keys/requests.ts';
import { alone } from '../../../shared/platform/table/row-keys/row-key.ts';
import {
  kindOf,
  parkedQueues,
  partitionPatterns,
  rowKinds,
} from '../../../shared/platform/table/row-kinds.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { noon } from '../../support/clock.ts';
import { fillPartner } from '../../support/sample-partner.ts';
import { newTable } from '../../support/table.ts';

/** A row of every kind, with its kind. */
let rows: (Row & { kind: (typeof rowKinds)[number] })[];
beforeAll(async () => {
  const table = await newTable();
  const bars = { partnerId: 'bars', offerId: 'bars-of-moscow', firstNumber: 79_000_000_000 };
  await fillPartner(table, { ...bars, places: 1, nowMs: noon });
  await recipientStore(table).update({ registered: [79_000_000_000], unregistered: [] });
  rows = ((await table.rows()) as Row[]).map((row) => ({ ...row, kind: kindOf(row).kind }));
});

test('every kind has rows, and each row is of one kind', () => {
  expect(new Set(rows.map(({ kind }) => kind.name))).toEqual(new Set(rowKinds.map(({ name }) => name)));
  for (const { pk, sk } of rows)
    expect(rowKinds.filter(({ pattern }) => pattern.test(`${pk} ${sk}`))).toHaveLength(1);
});

const keyed = idempotencyKey({ callerId: 'bars', operation: 'SendBulk', key: 'a # b' });

test.each([
  [endpointKey('bars#alerts', 'CIRCUIT'), 'circuit', 'bars'],
  [callbackKey('bars#alerts', '5d3b7a0e-0000-4000-8000-000000000001', 'ALERT'), 'callback', 'bars'],
  [placeKey('o', 'a # b'), 'service point', 'o'],
  [activeCheckInKey('o', 'place # 1', '96'), 'active check-in', 'o'],
  [keyed, 'idempotency key', 'bars'],
  [keptResponseKey(keyed, 'request'), 'kept response', 'bars'],
])('$pk, which the sample has not, is of its kind and owner all the same', (key, name, owner) => {
  const found = kindOf(key);
  expect([found.kind.name, found.owner]).toEqual([name, owner]);
});

test('rows carry a time to live exactly when their kind expires', () => {
  expect(rows.filter((row) => (row.kind.end === 'expires') !== 'expiresAt' in row)).toEqual([]);
});

test('the partition that roles name for a kind is that of its rows', () => {
  for (const { pk, kind } of rows) {
    const [before] = pk.split('#');
    expect(partitionPatterns([kind.name])).toEqual([pk === before ? before : `${before}#*`]);
  }
  expect(partitionPatterns(['partner entry', 'circuit', 'endpoint'])).toEqual(['PARTNERS', 'ENDPOINT#*']);
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
