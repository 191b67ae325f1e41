import { expect, test } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { restoreTable } from '../../../ops/data-lifecycle/restore-table.ts';
import { checkInStore } from '../../../shared/check-ins/check-in.ts';
import { keyStore } from '../../../shared/partners/key-store.ts';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { checkInCounterKey } from '../../../shared/platform/table/row-keys/check-ins.ts';
import { loginKey, offerKey } from '../../../shared/platform/table/row-keys/partners.ts';
import { placeKey, placesPartition } from '../../../shared/platform/table/row-keys/places.ts';
import { promotionKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import { bulkStatesKey, messageKey, messageStateKey } from '../../../shared/platform/table/row-keys/push.ts';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import { deleteRow, putRow, updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { noon } from '../../support/clock.ts';
import { stateFolder } from '../../support/command.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, justBefore } from '../../support/intercept-calls.ts';
import { operatorPolicy } from '../../support/operator-policies.ts';
import { policedEngine } from '../../support/policed-engine.ts';
import { addPromotion, openCheckIn } from '../../support/sample-partner.ts';
import { bakery, bars, restoreFixture } from './restore-rig.ts';

const { fast, ids, liveAndCopy, runWith } = restoreFixture();

/** Sets up a live table with two partners, a copy of it, and the command on both tables. */
async function restoreRig({ wholeLists = false } = {}) {
  const { live, copy } = await liveAndCopy({ wholeLists });
  const engine = await policedEngine({ [live.name]: 'TABLE', [copy.name]: 'RESTORED' });
  engine.under(operatorPolicy('restore'));
  const stateDir = stateFolder(live.name, engine.endpoint);
  const run = (line: string, response?: string) => {
    const options = line.split('|').filter((one) => one !== '');
    return runWith([`--from=${copy.name}`, `--state=${stateDir}`, fast, ...options], response);
  };
  const rows = async () => new Map(((await live.rows()) as Row[]).map((row) => [`${row.pk} ${row.sk}`, row]));
  const remove = ({ pk, sk }: RowKey) => deleteRow(live, { pk, sk });
  const set = ({ pk, sk }: RowKey, name: string, value: unknown) =>
    updateRow(live, { Key: { pk, sk }, ...updateExpression({ set: { [name]: value } }) });
  return { live, copy, engine, run, rows, remove, set };
}

function firstPlace(rows: Map<string, Row>, offerId: string): Row {
  const found = [...rows.values()].find(({ pk }) => pk === placesPartition(offerId));
  if (!found) throw new Error('no place');
  return found;
}

const rig = inEachTest(restoreRig);

test('what is missing or different comes back, what is new stays, and a second run finds nothing', async () => {
  const { live, run, rows, remove, set } = await restoreRig({ wholeLists: true });
  const before = await rows();
  await remove(firstPlace(before, 'bars-of-moscow'));
  await set(promotionKey('bars', 1), 'discount', '0 %');
  await set(offerKey('bakery-club'), 'partnerId', 'bars');
  await set(placeKey('bakery-club', 'added since'), 'hash', 'h');

  const { exit, out } = await run('', live.name);
  expect(exit).toBe(0);
  expect(out).toContain('Wrote 3 rows.');
  const after = await rows();
  expect(after.delete('PLACES#bakery-club added since')).toBe(true);
  expect(after).toEqual(before);
  expect((await run('--yes')).out).toContain('Nothing is missing or different.');
});

test('a dry run shows the differences by kind and writes nothing', async () => {
  await rig.remove(firstPlace(await rig.rows(), 'bars-of-moscow'));
  await rig.set(promotionKey('bars', 1), 'discount', '0 %');
  const damaged = await rig.rows();
  const { exit, out } = await rig.run('--dry-run|--partner=bars|--kind=service point|--kind=promotion');
  expect(exit).toBe(0);
  expect(out.split('\n').slice(0, 4)).toEqual([
    expect.stringMatching(`^This is table ${rig.live.name} of the local service on .+\\.$`),
    'kind           missing  different  same  left alone',
    'service point  1        0          19    0',
    'promotion      0        1          1     0',
  ]);
  expect(await rig.rows()).toEqual(damaged);
});

test('a partner, a partition or a kind can be restored alone', async () => {
  const damage = async () => {
    await rig.set(promotionKey('bars', 1), 'discount', '0 %');
    await rig.set(promotionKey('bakery', 1), 'discount', '0 %');
    await rig.set(offerKey('bars-of-moscow'), 'checkInLifetimeMs', 1);
  };
  const wrong = async () => {
    const now = await rig.rows();
    return [
      now.get('PROMOS#bars PROMO#0000000001')?.['discount'] === '0 %',
      now.get('PROMOS#bakery PROMO#0000000001')?.['discount'] === '0 %',
      now.get('OFFER#bars-of-moscow -')?.['checkInLifetimeMs'] === 1,
    ];
  };
  await damage();
  await rig.run('--yes|--rows=PROMOS#bakery');
  expect(await wrong()).toEqual([true, false, true]);
  await damage();
  await rig.run('--yes|--partner=bars');
  expect(await wrong()).toEqual([false, true, false]);
  await damage();
  await rig.run('--yes|--kind=promotion');
  expect(await wrong()).toEqual([false, false, true]);
  // The command leaves alone what belongs to another partner now.
  await rig.set(offerKey('bars-of-moscow'), 'partnerId', 'bakery');
  expect((await rig.run('--yes|--partner=bars')).err).toBe(
    'Offer bars-of-moscow belongs to bakery now: restore bars by --rows or --kind.',
  );
  expect(await wrong()).toEqual([false, false, true]);
});

test('a check-in that was redeemed since cannot be redeemed again', async () => {
  expect(await checkInStore(rig.live).redeem('bars-of-moscow', 1, { by: 'r', nowMs: noon })).toMatchObject({
    redeemedAtMs: noon,
  });
  const before = await rig.rows();
  await rig.run('--yes');
  expect(await rig.rows()).toEqual(before);
  expect(await checkInStore(rig.live).redeem('bars-of-moscow', 1, { by: 's', nowMs: noon })).toMatchObject({
    failure: 'CHECKIN_NOT_ACTIVE',
    errors: [expect.stringContaining(`was redeemed at ${new Date(noon).toISOString()}`)],
  });
});

test('a counter goes up only, one of check-ins far beyond the copy, so that no number is given twice', async () => {
  expect(await openCheckIn(rig.live, bars, '9643907500000038')).toBe(3);
  expect(await addPromotion(rig.live, bars, 'Third')).toBe(3);
  await rig.set(checkInCounterKey('bakery-club'), 'lastNumber', 0);
  await rig.run('--yes');
  expect(await openCheckIn(rig.live, bars, '9643907500000046')).toBe(4);
  expect(await addPromotion(rig.live, bars, 'Fourth')).toBe(4);
  expect(await openCheckIn(rig.live, bakery, '9643907500000046')).toBe(1_000_003);
});

test('a key that comes back with the secret that it had is named, since it may have been ended for a reason', async () => {
  const [key] = await keyStore(rig.live).list('bars');
  await rig.remove(loginKey(key?.login ?? ''));
  const title = '1 key with the secrets of the copy: end again what was revoked or retired since:';
  expect((await rig.run('--partner=bars|--dry-run')).out).toContain(`${title}\n  ${key?.login} of bars\n`);
  expect((await rig.run('--yes')).out).toContain(`${title}\n  ${key?.login} of bars\n`);
  expect((await rig.run('--yes')).out).not.toContain('secrets of the copy');
});

test('a message comes back without the markers that would send it again', async () => {
  await rig.remove(messageKey(ids.single));
  await rig.remove(messageStateKey(ids.single));
  expect((await rig.run('--yes')).out).toContain('Wrote 2 rows.');
  const marks = [...(await rig.rows()).values()].filter(({ pk }) => pk === `MSG#${ids.single}`);
  expect(marks.map(({ toDispatch, toCallBack }) => [toDispatch, toCallBack])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect((await messageStore(rig.live).findMany([ids.single], noon)).get(ids.single)?.msisdn).toBe(
    79_000_000_000,
  );
  expect((await rig.run('--yes')).out).toContain('Nothing is missing or different.');
});

test('states that were recorded since the copy stay, and those that were lost come back', async () => {
  const [first, later] = [0, 50].map((group) => bulkStatesKey(ids.inBulk.first.slice(0, -4), group)) as [
    RowKey,
    RowKey,
  ];
  const at = async ({ pk }: RowKey) => (await rig.rows()).get(`${pk} -`);
  const before = await at(first);
  await rig.set(first, 'o0', 1_779_278_500);
  await rig.set(first, 'd0', 7);
  await rig.remove(later);
  expect((await rig.run('--yes|--kind=states of a bulk send')).out).toContain('Wrote 2 rows.');
  expect(await at(first)).toEqual({ ...before, o0: 1_779_278_500, toCallBack: undefined });
  expect(await at(later)).toMatchObject({ d1: expect.any(Number) });
});

test('a number that was erased in bulk sends since the copy stays erased there', async () => {
  await eraseNumber(rig.live, 79_000_000_000);
  await rig.run('--yes|--kind=part of a bulk send');
  expect((await messageStore(rig.live).findMany([ids.inBulk.first, ids.inMulti], noon)).size).toBe(0);
});

test('expired rows, and short-lived ones, are not put back', async () => {
  await putRow(rig.copy, { pk: 'BULK#old', sk: 'PART#000000', expiresAt: noon / 1_000 });
  const short = [
    'RATE#bars',
    'SYNC#bars',
    'SYNCERRORS#bars',
    'SYNCCHANGES#bars',
    'LIST#bars',
    'CHECKINS#bars',
    'CALLBACKS#bars',
    'IDEM#bars',
    'PARKED#',
  ];
  for (const row of (await rig.rows()).values())
    if (short.some((pk) => row.pk.startsWith(pk))) await rig.remove(row);
  const without = await rig.rows();
  const { out } = await rig.run('--yes');
  expect(out).toContain('Nothing is missing or different.');
  expect(await rig.rows()).toEqual(without);
});

test('a row that the service changes between comparison and write keeps the change', async () => {
  const place = firstPlace(await rig.rows(), 'bakery-club');
  await rig.set(place, 'hash', 'damaged');
  const isWrite = ({ name }: Call) => name === 'UpdateItemCommand';
  justBefore(rig.live.client, isWrite, () => rig.set(place, 'hash', 'by a new list'));
  const tables = { copy: rig.copy, live: rig.live, meter: capacityMeter(rig.live, 1e9) };
  const found = await restoreTable(tables, { scope: {}, write: true, now: () => noon });
  expect(found.changedMeanwhile.toJSON()).toEqual({ 'service point': 1 });
  expect(firstPlace(await rig.rows(), 'bakery-club')['hash']).toBe('by a new list');
  // A newer version of the service may give it a member that the comparison has not seen.
  justBefore(rig.live.client, isWrite, () => rig.set(place, 'addedLater', 'x'));
  await restoreTable(tables, { scope: {}, write: true, now: () => noon });
  expect(firstPlace(await rig.rows(), 'bakery-club')).toEqual({ ...place, addedLater: 'x' });
});

test('the restore asks for the name of the table, and says what it cannot do', async () => {
  await rig.set(promotionKey('bars', 1), 'discount', '0 %');
  const before = await rig.rows();
  const conflict = "error: option '--partner <id>' cannot be used with option '--rows <pk>'";
  for (const [line, exit, err, response] of [
    ['', 1, `That is not ${rig.live.name}: nothing was changed.`, 'yes'],
    ['', 2, 'It prompts before it writes, and there is no terminal: add --yes or --dry-run.'],
    ['--yes|--partner=bars|--rows=x', 2, conflict],
    // The command line is checked before "add --yes" is printed.
    ['--partner=bars|--rows=x', 2, conflict],
    ['--yes|--partner=nobody', 1, 'There is no partner "nobody", neither in the copy nor in the live table.'],
    ['--yes|--rows=PLACES#bars', 1, 'The copy has no rows of PLACES#bars to compare.'],
    [`--yes|--from=${rig.live.name}`, 2, '--from names the live table itself.'],
  ] as const)
    expect([line, await rig.run(line, response)]).toMatchObject([line, { exit, err }]);
  expect((await rig.run('--stage=prod|--state=x')).err).toContain('cannot be used with option');
  expect((await rig.run('--yes|--from=nowhere')).exit).toBe(1);
  expect(await rig.rows()).toEqual(before);
});

test('what the policy for restores allows is what the command calls, and no more', async () => {
  const [first, second] = [...(await rig.rows()).values()].filter(({ pk }) => pk === 'PLACES#bars-of-moscow');
  if (!first || !second) throw new Error('no places');
  await rig.remove(first);
  await rig.set(second, 'hash', 'damaged');
  await rig.set(bulkStatesKey(ids.inBulk.first.slice(0, -4), 0), 'd0', 7);
  expect(await rig.run('--partner=bars|--yes')).toMatchObject({ exit: 0, err: '' });
  expect(await rig.run('--rows=PLACES#bars-of-moscow|--dry-run')).toMatchObject({ exit: 0, err: '' });
  rig.engine.standForAws();
  expect((await runWith(['--from=x', '--stage=dev', '--dry-run'])).err).toBe(
    'Stage dev has no table in eu-central-1 in this account: choose others by AWS_PROFILE and AWS_REGION.',
  );
  expect(rig.engine.unused(operatorPolicy('restore'))).toEqual([]);
});
