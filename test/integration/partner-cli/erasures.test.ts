import { expect, test } from 'vitest';
import { dispatchMessages } from '../../../functions/push/dispatch-messages.ts';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { bulkStatesKey } from '../../../shared/platform/table/row-keys/push.ts';
import { rowKinds } from '../../../shared/platform/table/row-kinds.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { noon } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { fillPartner } from '../../support/sample-partner.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { pushRig } from '../push/push-rig.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const bars = { partnerId: 'bars', offerId: 'bars-of-moscow', firstNumber: 79_000_000_000 };
const bakery = { partnerId: 'bars-2', offerId: 'bars-of-moscow.2', firstNumber: 79_500_000_000 };

/** The command usually reads slowly, to leave the table to the service. */
const fast = '--units-per-second 1000000';

const rig = inEachTest(partnerCliRig);

async function rows() {
  const all = (await rig.table.rows()) as Row[];
  return new Map(all.map((row) => [`${row.pk} ${row.sk}`, row]));
}

test('nothing of an erased partner remains, everything of the other is as it was, and it can be erased again', async () => {
  await fillPartner(rig.table, { ...bakery, places: 40, nowMs: noon });
  const others = await rows();
  await fillPartner(rig.table, { ...bars, places: 60, nowMs: noon });
  await rig.run('disable bars --yes');
  const before = await rows();

  // Recipients and heartbeats belong to no partner. Every other kind of row is there to be erased.
  const kinds = rowKinds.map(({ name }) => name).filter((name) => !['recipient', 'heartbeat'].includes(name));
  const dry = (await rig.json(`erase bars --dry-run ${fast}`)) as { rows: Record<string, number> };
  expect(Object.keys(dry.rows).sort()).toEqual(kinds.sort());
  expect(dry.rows).toMatchObject({ key: 1, 'service point': 60, 'part of a bulk send': 5, event: 7 });
  expect(await rows()).toEqual(before);

  const erased = await rig.run(`erase bars ${fast}`, { response: 'bars' });
  expect(erased).toMatchObject({ exit: 0, err: '' });
  expect(erased.out.split('\n')[0]).toBe(`Deleted ${before.size - others.size} rows of bars.`);
  expect(erased.out).toContain('npm run partner -- erase bars --offer bars-of-moscow');
  expect(await rows()).toEqual(others);
  expect(JSON.stringify([...(await rows()).values()])).not.toMatch(
    /"bars"|bars-api|bars-of-moscow[^.]|79000000000/,
  );

  // Messages that were still in queues write rows of the erased partner: a receipt's state, and a point of a list.
  await fillPartner(rig.table, { ...bars, places: 3, nowMs: noon });
  for (const key of ['ACCOUNT#bars-api -', 'PARTNERS bars', 'OFFER#bars-of-moscow -']) await rig.remove(key);
  const again = `erase bars --offer bars-of-moscow --yes ${fast}`;
  expect(await rig.run(again)).toMatchObject({ exit: 0, err: '' });
  expect(await rows()).toEqual(others);
  expect((await rig.run(again)).out).toContain('Deleted 0 rows of bars.');
});

const number = 79_000_000_000;

/** Stores a partner with messages to numbers, two of which are registered, and returns the ids of some of them. */
async function filled() {
  await recipientStore(rig.table).update({ registered: [number, number + 1], unregistered: [] });
  return fillPartner(rig.table, { ...bars, places: 5, nowMs: noon });
}

function forget(msisdn: number) {
  return rig.run(`forget --yes ${fast}`, { pipes: String(msisdn) });
}

/** Returns the id of the message at a position of a bulk send. */
function idAt(id: string, position: number): string {
  return `${id.slice(0, -4)}${position.toString(16).padStart(4, '0')}`;
}

test('an option without its value does not swallow the one after it', async () => {
  for (const line of ['erase bars --offer --dry-run --yes', 'callback set bars --url --yes'])
    expect(await rig.run(`${line} ${fast}`)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('It takes a value before the next option.'),
    });
});

test('erasing takes no offer of another partner, and no number that only ends alike', async () => {
  await filled();
  const before = await rows();
  expect(await rig.run(`erase nobody --offer bars-of-moscow --yes ${fast}`)).toMatchObject({ exit: 1 });
  expect((await forget(9_000_000_000)).out).toContain('...0000 is erased: 0 rows deleted');
  expect(await rows()).toEqual(before);
});

test('an erased number is in no row, its messages are as if they never were, and others keep theirs', async () => {
  const ids = await filled();
  const messages = messageStore(rig.table);
  const before = await rows();
  const known = [ids.single, ids.inBulk.first, ids.inMulti, ids.inBulk.later];
  expect((await messages.findMany(known, noon)).size).toBe(4);
  expect(await rig.json(`forget --dry-run ${fast}`, { pipes: '+79000000000\n' })).toMatchObject({
    msisdnEnd: '0000',
    dryRun: true,
    rows: { recipient: 1, 'single message': 1, 'part of a bulk send': 2, 'parked message': 1 },
  });
  expect(await rows()).toEqual(before);

  const typed = ['79000000000', '0000'];
  const run = await rig.run(`forget ${fast}`, { response: async () => typed.shift() ?? '' });
  expect(run.out).toContain(`...0000 is erased: 15 rows deleted or changed.

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
idempotency key        2
parked message         1`);
  expect(`${run.out}${run.err}${rig.questions.join()}`).not.toContain('79000000000');
  expect([...(await messages.findMany(known, noon)).keys()]).toEqual([ids.inBulk.later]);
  const after = await rows();
  expect(JSON.stringify([...after.values()])).not.toMatch(/79000000000/);
  expect([...before.keys()].filter((name) => !after.has(name))).toHaveLength(9);
  expect([...after.keys()].filter((name) => !before.has(name))).toEqual([]);
  // The row of states stays, because neighbours share it, but without the states of this message.
  const group = `STATES#${ids.inBulk.first.slice(0, -4)}#000000 -`;
  expect(before.get(group)).toHaveProperty('d0');
  expect(after.get(group)).not.toHaveProperty('d0');
  const again = async () => (await forget(number)).out;
  expect(await again()).toContain('...0000 is erased: 0 rows deleted');
  expect(await rows()).toEqual(after);
  // A restore brings states back, which no number leads to any more.
  const key = bulkStatesKey(ids.inBulk.first.slice(0, -4), 0);
  await updateRow(rig.table, { Key: key, ...updateExpression({ set: { d0: noon } }) });
  expect(await again()).toContain('states of a bulk send  1');
  expect(await rows()).toEqual(after);

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

test('rows that cannot be read keep no other row of the number, and are named with what to do', async () => {
  await filled();
  const damage = (key: { pk: string; sk: string }, set: Record<string, unknown>) =>
    updateRow(rig.table, { Key: { pk: key.pk, sk: key.sk }, ...updateExpression({ set }) });
  const all = [...(await rows()).values()];
  const find = (is: (row: Row) => boolean) => all.find(is) as Row;
  const part = find(({ sk, contents }) => sk === 'PART#000000' && contents === undefined);
  const multi = find(({ sk, contents }) => sk === 'PART#000000' && contents !== undefined);
  const response = find(({ sk }) => sk.startsWith('RESPONSE#'));
  await damage(part, { recipients: 'damaged' });
  await damage(multi, { contents: Buffer.from('damaged') });
  await damage(response, { gzippedBody: Buffer.from('damaged') });
  for (const dryRun of ['--dry-run', '']) {
    const { exit, out, err } = await rig.run(`forget --yes ${dryRun} ${fast}`, { pipes: String(number) });
    expect(exit).toBe(1);
    expect(out.split('\n')[0]).toBe(
      dryRun
        ? 'Would delete or change 11 rows about ...0000.'
        : '...0000 is erased in part: 10 rows deleted or changed.',
    );
    const named = dryRun ? [part, response] : [part, multi, response];
    const putBack = ({ pk, sk }: Row) =>
      `  ${pk} ${sk}: Put it back from a copy of the table, by npm run restore with --rows '${pk}', or delete it if no copy has it.`;
    const lines = err.split('\n');
    expect(lines[1]).toBe(
      `${named.length} rows could not be read, and may hold the number. When each is put back or deleted, run this again:`,
    );
    expect(lines.slice(2).sort()).toEqual(
      named
        .map((row) =>
          row === response
            ? `  ${row.pk} ${row.sk}: Delete it: no restore puts such a row back.`
            : putBack(row),
        )
        .sort(),
    );
  }
  const left = [...(await rows()).values()].filter((row) => JSON.stringify(row).includes('79000000000'));
  expect(left).toEqual([]);
});

test('a damaged row that an operator meets is named with its member and what to do', async () => {
  await filled();
  await updateRow(rig.table, {
    Key: { pk: 'ACCOUNT#bars-api', sk: '-' },
    ...updateExpression({ set: { disabled: 'yes' } }),
  });
  const err =
    "The row 'ACCOUNT#bars-api -' is damaged (disabled: must be true or false). Put it back from a copy of the table, by npm run restore with --rows 'ACCOUNT#bars-api', or delete it if no copy has it.";
  for (const command of ['disable', 'erase', 'show', 'limits'])
    expect(await rig.run(`${command} bars --yes`)).toEqual({ exit: 1, out: '', err });
  await updateRow(rig.table, {
    Key: { pk: 'PARTNERS', sk: 'bars' },
    ...updateExpression({ set: { logins: 'bars-api' } }),
  });
  expect((await rig.run('erase bars --yes')).err).toBe(
    "The row 'PARTNERS bars' is damaged (logins: must be an array). Put it back from a copy of the table, by npm run restore with --partner bars --kind 'partner entry', or delete it if no copy has it.",
  );
  // Without the rows that are damaged, nothing leads to the partner, and the same command erases it.
  for (const key of ['ACCOUNT#bars-api -', 'PARTNERS bars']) await rig.remove(key);
  expect(await rig.run(`erase bars --yes ${fast}`)).toMatchObject({ exit: 0, err: '' });
  expect(JSON.stringify([...(await rows()).values()])).not.toMatch(/"bars"|bars-of-moscow/);
});

test('a bulk send that is dispatched afterwards leaves the number out and keeps the order of the others', async () => {
  await filled();
  await forget(number + 2);
  const { outbox, deps, outgoing } = await pushRig();
  const heads = (await rig.table.rows('BULK#')).filter(({ sk }) => sk === 'PAYLOAD');
  const dispatch = dispatchMessages({ ...deps, messages: messageStore(rig.table), queue: outbox });
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
  const ids = await filled();
  const messages = messageStore(rig.table);
  await Promise.all([0, 1, 2, 3].map((n) => forget(number + n)));
  const five = [0, 1, 2, 3, 4].map((n) => idAt(ids.inBulk.first, n));
  expect([...(await messages.findMany(five, noon)).keys()]).toEqual([five[4]]);
});

test('of several numbers that are piped in none is erased', async () => {
  expect(await rig.run('forget --yes', { pipes: '79000000000\n79000000001\n' })).toEqual({
    exit: 2,
    out: '',
    err: 'Reading the number from standard input.\nWrite one number, as 7 to 15 digits with the country code and nothing between them: 79001234567.',
  });
});
