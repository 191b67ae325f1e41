import { expect, test } from 'vitest';
import { dispatchMessages } from '../../../functions/push/dispatch-messages.ts';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { bulkStatesKey } from '../../../shared/platform/table/row-keys/push.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { noon } from '../../support/clock.ts';
import { fillPartner } from '../../support/sample-partner.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { pushRig } from '../push/push-rig.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const number = 79_000_000_000;
const sample = { partnerId: 'bars', offerId: 'bars-of-moscow', firstNumber: number, places: 5, nowMs: noon };

async function filled() {
  const rig = await partnerCliRig();
  await recipientStore(rig.table).update({ registered: [number, number + 1], unregistered: [] });
  return { rig, ids: await fillPartner(rig.table, sample), messages: messageStore(rig.table) };
}

type Rig = Awaited<ReturnType<typeof partnerCliRig>>;

/** The command usually reads slowly, to leave the table to the service. */
const fast = '--units-per-second 1000000';

function forget(rig: Rig, msisdn: number) {
  return rig.run(`forget --yes ${fast}`, { pipes: String(msisdn) });
}

async function rows(rig: Rig) {
  return (await rig.table.rows()) as Row[];
}

/** Returns the id of the message at a position of a bulk send. */
function idAt(id: string, position: number): string {
  return `${id.slice(0, -4)}${position.toString(16).padStart(4, '0')}`;
}

function names(all: Row[]) {
  return all.map(({ pk, sk }) => `${pk} ${sk}`).sort();
}

test('an erased number is in no row, its messages are as if they never were, and others keep theirs', async () => {
  const { rig, ids, messages } = await filled();
  const before = await rows(rig);
  const known = [ids.single, ids.inBulk.first, ids.inMulti, ids.inBulk.later];
  expect((await messages.findMany(known, noon)).size).toBe(4);
  expect(await rig.json(`forget --dry-run ${fast}`, { pipes: '+79000000000\n' })).toMatchObject({
    msisdnEnd: '0000',
    dryRun: true,
    rows: { recipient: 1, 'single message': 1, 'part of a bulk send': 2, 'parked message': 1 },
  });
  expect(await rows(rig)).toEqual(before);

  const typed = ['79000000000', '0000'];
  const run = await rig.run(`forget ${fast}`, { response: async () => typed.shift() ?? '' });
  expect(run.out).toContain(`...0000 is erased: 14 rows deleted, or changed in rows of a bulk send.

kind                   rows
recipient              1
phones                 1
message on a phone     1
received callback      1
single message         1
states of a message    1
part of a bulk send    2
states of a bulk send  1
callback               2
kept response          1
idempotency key        1
parked message         1`);
  expect(`${run.out}${run.err}${rig.questions.join()}`).not.toContain('79000000000');
  expect([...(await messages.findMany(known, noon)).keys()]).toEqual([ids.inBulk.later]);
  const after = await rows(rig);
  expect(JSON.stringify(after)).not.toMatch(/79000000000/);
  expect(names(before).filter((name) => !names(after).includes(name))).toHaveLength(11);
  expect(names(after).filter((name) => !names(before).includes(name))).toEqual([]);
  // The row of states stays, because neighbours share it, but without the states of this message.
  const group = `STATES#${ids.inBulk.first.slice(0, -4)}#000000`;
  expect(before.find(({ pk }) => pk === group)).toHaveProperty('d0');
  expect(after.find(({ pk }) => pk === group)).not.toHaveProperty('d0');
  const again = async () => (await forget(rig, number)).out;
  expect(await again()).toContain('...0000 is erased: 0 rows deleted');
  expect(await rows(rig)).toEqual(after);
  // A restore brings states back, which no number leads to any more.
  const key = bulkStatesKey(ids.inBulk.first.slice(0, -4), 0);
  await updateRow(rig.table, { Key: key, ...updateExpression({ set: { d0: noon } }) });
  expect(await again()).toContain('states of a bulk send  1');
  expect(await rows(rig)).toEqual(after);

  const others = [
    idAt(ids.inBulk.first, 1),
    idAt(ids.inBulk.first, 2_499),
    idAt(ids.inMulti, 1),
    idAt(ids.inMulti, 99),
  ];
  const found = await messages.findMany(others, noon);
  expect(others.map((id) => [found.get(id)?.msisdn, found.get(id)?.content.payload.message])).toEqual([
    [79_000_000_001, 'We moved'],
    [79_000_002_499, 'We moved'],
    [79_000_000_001, 'Your bonus, 1'],
    [79_000_000_099, 'Your bonus, 99'],
  ]);
});

test('a bulk send that is dispatched afterwards leaves the number out and keeps the order of the others', async () => {
  const { rig } = await filled();
  await forget(rig, number + 2);
  const { outbox, deps, outgoing } = await pushRig();
  const heads = (await rows(rig))
    .filter(({ pk }) => pk.startsWith('BULK#'))
    .filter(({ sk }) => sk === 'PAYLOAD');
  const dispatch = dispatchMessages({
    ...deps,
    messages: messageStore(rig.table),
    queue: outbox,
  });
  await dispatch({ Records: heads.map((head) => streamRecord(head)) });
  const sent = (await outgoing()).flatMap(({ payload, messages }) =>
    messages.map(({ messageId, msisdn }) => ({ messageId, msisdn, text: payload.message })),
  );
  expect(sent).toHaveLength(2_499 + 99);
  expect(sent.filter(({ msisdn }) => msisdn === 79_000_000_002 || msisdn === 0)).toEqual([]);
  const toThird = sent
    .filter(({ msisdn }) => msisdn === 79_000_000_003)
    .map(({ messageId, text }) => [messageId.slice(-4), text]);
  expect(toThird.sort()).toEqual([
    ['0003', 'We moved'],
    ['0003', 'Your bonus, 3'],
  ]);
});

test('numbers that are erased at once stay erased, all of them', async () => {
  const { rig, ids, messages } = await filled();
  await Promise.all([0, 1, 2, 3].map((n) => forget(rig, number + n)));
  const five = [0, 1, 2, 3, 4].map((n) => idAt(ids.inBulk.first, n));
  expect([...(await messages.findMany(five, noon)).keys()]).toEqual([five[4]]);
});

test('of several numbers that are piped in none is erased', async () => {
  const rig = await partnerCliRig();
  expect(await rig.run('forget --yes', { pipes: '79000000000\n79000000001\n' })).toEqual({
    exit: 2,
    out: '',
    err: 'Reading the number from standard input.\nWrite one number, as 7 to 15 digits with the country code and nothing between them: 79001234567.',
  });
});
