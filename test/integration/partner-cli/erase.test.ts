import { expect, test } from 'vitest';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { kindOf, rowKinds } from '../../../shared/platform/table/row-kinds.ts';
import { fillPartner } from '../../rehearsal/sample-partner.ts';
import { noon } from '../../support/clock.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const bars = { partnerId: 'bars', offerId: 'bars-of-moscow', firstNumber: 79_000_000_000 };
const bakery = { partnerId: 'bars-2', offerId: 'bars-of-moscow.2', firstNumber: 79_500_000_000 };

async function twoPartners() {
  const rig = await partnerCliRig();
  await fillPartner(rig.table, { ...bakery, places: 40, nowMs: noon });
  const others = await rows(rig);
  await fillPartner(rig.table, { ...bars, places: 60, nowMs: noon });
  return { rig, others };
}

async function rows(rig: Awaited<ReturnType<typeof partnerCliRig>>) {
  const all = (await rig.table.rows()) as Row[];
  return new Map(all.map((row) => [`${row.pk} ${row.sk}`, row]));
}

function seenKinds(all: Iterable<Row>) {
  return new Set([...all].map((row) => kindOf(row).kind.name));
}

test('nothing of an erased partner remains, and everything of the other is as it was', async () => {
  const { rig, others } = await twoPartners();
  // Recipients belong to no partner. Every other kind of row is there to be erased.
  const kinds = rowKinds.map(({ name }) => name).filter((name) => name !== 'recipient');
  expect([...seenKinds((await rows(rig)).values())].sort()).toEqual(kinds.sort());
  await rig.run('disable bars --yes');
  const before = (await rows(rig)).size;

  const erased = await rig.run('erase bars', { response: 'bars' });
  expect(erased).toMatchObject({ exit: 0, err: '' });
  expect(erased.out.split('\n')[0]).toBe(`Deleted ${before - others.size} rows of bars.`);
  expect(erased.out).toContain('npm run partner -- erase bars --offer bars-of-moscow');
  expect(await rows(rig)).toEqual(others);
  const text = JSON.stringify([...(await rows(rig)).values()]);
  expect(text).not.toMatch(/"bars"|bars-api|bars-of-moscow[^.]|79000000000/);
});

test('a dry run counts the same rows by kind and deletes none', async () => {
  const { rig } = await twoPartners();
  const before = await rows(rig);
  const dry = (await rig.json('erase bars --dry-run')) as { rows: Record<string, number> };
  expect(await rows(rig)).toEqual(before);
  expect(dry.rows).toEqual({
    key: 1,
    deadline: 1,
    pace: 1,
    event: 6,
    examination: 1,
    'callback tests of a minute': 1,
    'examinations of ten minutes': 1,
    'replays of ten minutes': 1,
    'partner entry': 1,
    offer: 1,
    'service point': 60,
    'sync session': 1,
    'rejected elements': 1,
    'reports of a minute': 1,
    'requests of a window': 1,
    'send in lists': 2,
    'changes of a list': 1,
    'part of a list': 3,
    'check-in counter': 1,
    'active check-in': 1,
    'check-in by number': 2,
    phones: 1,
    receiver: 1,
    'received callback': 1,
    'message on a phone': 1,
    'rate of a minute': 1,
    'removal guard': 1,
    'removed messages': 1,
    'single message': 1,
    'states of a message': 1,
    'states of a bulk send': 2,
    'bulk send': 2,
    'part of a bulk send': 5,
    'promotion counter': 1,
    promotion: 2,
    'promotion in lists': 2,
    endpoint: 2,
    'failed callbacks': 1,
    circuit: 1,
    callback: 3,
    'delivered callbacks': 1,
    'idempotency key': 2,
    'kept response': 1,
    'parked message': 4,
  });
  await rig.run('disable bars --yes');
  const disabled = { ...dry.rows, event: 7 };
  expect(await rig.json('erase bars --yes')).toMatchObject({ rows: disabled, offerIds: ['bars-of-moscow'] });
});

test('a partner that is enabled is not erased', async () => {
  const { rig } = await twoPartners();
  const before = await rows(rig);
  expect(await rig.run('erase bars --yes')).toEqual({
    exit: 1,
    out: '',
    err: 'bars is enabled and may still write: disable it, and come back 5 minutes later.',
  });
  expect(await rows(rig)).toEqual(before);
});

test('a partner whose keys are gone can be erased again with the offers it had', async () => {
  const { rig, others } = await twoPartners();
  await rig.run('disable bars --yes');
  await rig.run('erase bars --yes');
  // Messages that were still in queues write rows of the erased partner: a receipt's state, and a point of a list.
  await fillPartner(rig.table, { ...bars, places: 3, nowMs: noon });
  for (const key of ['ACCOUNT#bars-api -', 'PARTNERS bars', 'OFFER#bars-of-moscow -']) await rig.remove(key);
  expect(await rig.run('erase bars --offer bars-of-moscow --yes')).toMatchObject({ exit: 0, err: '' });
  expect(await rows(rig)).toEqual(others);
  expect(await rig.run('erase bars --offer bars-of-moscow --yes')).toMatchObject({
    exit: 0,
    out: expect.stringContaining('Deleted 0 rows of bars.'),
  });
});

test.each(['--yes', '--dry-run'])('a mistyped id erases nothing, and %s says so', async (how) => {
  const { rig } = await twoPartners();
  await rig.run('disable bars --yes');
  const before = await rows(rig);
  expect(await rig.run(`erase barss ${how}`)).toEqual({
    exit: 1,
    out: '',
    err: 'No partner "barss" is known, and no row belongs to it: the command list shows all. If it was erased, name its offers with --offer.',
  });
  expect(await rows(rig)).toEqual(before);
});

test('an erasure of an unknown partner says so before it asks', async () => {
  const { rig } = await twoPartners();
  await rig.run('erase barss', { response: 'no' });
  expect(rig.questions.join()).toContain('No partner "barss" is known, but rows of it may exist.');
});

test("another partner's offer is not erased with it", async () => {
  const { rig } = await twoPartners();
  await rig.run('disable bars --yes');
  expect(await rig.run('erase bars --offer bars-of-moscow.2 --yes')).toMatchObject({
    exit: 1,
    err: 'Offer bars-of-moscow.2 belongs to another partner: nothing was deleted.',
  });
});
