import { expect, test } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { restoreTable } from '../../../ops/data-lifecycle/restore-table.ts';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { kindOf } from '../../../shared/platform/table/row-kinds.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { noon } from '../../support/clock.ts';
import { stateFolder } from '../../support/command.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { operatorPolicy } from '../../support/operator-policies.ts';
import { policedEngine } from '../../support/policed-engine.ts';
import { newTable, rowsOf } from '../../support/table.ts';
import { restoreFixture } from './restore-rig.ts';

const { fast, liveAndCopy, runWith } = restoreFixture();

/** Sets up a copy of a table with two partners, and the command that prepares it to be served. */
async function inPlaceRig(options: { stream?: boolean } = {}) {
  const { live, copy } = await liveAndCopy(options);
  const engine = await policedEngine({ [copy.name]: 'TABLE' });
  engine.under(operatorPolicy('in place'));
  const stateDir = stateFolder(copy.name, engine.endpoint);
  const run = (args: readonly string[], response?: string) =>
    runWith(['--in-place', fast, `--state=${stateDir}`, ...args], response);
  return { live, copy, engine, run };
}

const rig = inEachTest(inPlaceRig);

test('a table restored in place keeps what a restore writes back, and loses what must not be served', async () => {
  const before = await rowsOf(rig.copy);
  const gone = before.filter((row) => kindOf(row).kind.restored === 'no');
  expect(gone.length).toBeGreaterThan(20);
  expect((await rig.run(['--dry-run'])).out).toContain(
    `Would delete ${gone.length} rows, 2 counters of check-ins raised by a million.`,
  );
  expect(await rowsOf(rig.copy)).toEqual(before);

  const { exit, out } = await rig.run(['--yes']);
  expect(exit).toBe(0);
  expect(out).toContain(`Deleted ${gone.length} rows, 2 counters of check-ins raised by a million.`);
  // A restore into an empty table writes the same rows, without the markers, which nothing reads here.
  const empty = await newTable();
  const meter = capacityMeter(empty, Number.MAX_SAFE_INTEGER);
  await restoreTable({ copy: rig.live, live: empty, meter }, { scope: {}, write: true, now: () => noon });
  const unmarked = ({ toDispatch: _sent, toCallBack: _called, restoredAt: _until, ...row }: Row) => row;
  const sorted = (rows: readonly Row[]) => rows.map(unmarked).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  expect(sorted(await rowsOf(rig.copy))).toEqual(sorted((await empty.rows()) as Row[]));

  expect((await rig.run(['--yes'])).out).toContain(
    'Deleted 0 rows, 2 counters of check-ins raised by a million.',
  );
  const ofStage = operatorPolicy('in place').filter(({ resource }) => resource !== '*');
  expect(rig.engine.unused(ofStage)).toEqual([]);
});

function keyOf({ pk, sk }: { pk?: unknown; sk?: unknown }): string {
  return `${pk} ${sk}`;
}

test('a row past its end goes from a restored table, which has no time to live', async () => {
  const Item = { pk: 'OFFER#long-ago', sk: '-', partnerId: 'bars', expiresAt: noon / 1_000 - 1 };
  await putRow(rig.copy, Item);
  await rig.run(['--yes']);
  expect((await rowsOf(rig.copy)).filter(({ pk }) => pk === Item.pk)).toEqual([]);
});

test('a table with a stream is refused, because its active check-ins may be those of now', async () => {
  const { copy, run } = await inPlaceRig({ stream: true });
  const before = await rowsOf(copy);
  expect(await run(['--yes'])).toMatchObject({
    exit: 2,
    err: expect.stringContaining(`${copy.name} has a stream, so it may be served`),
  });
  expect(await rowsOf(copy)).toEqual(before);
});

test('in place prompts for the name of the table, and takes neither a stage nor another copy', async () => {
  const before = await rowsOf(rig.copy);
  expect((await rig.run([], 'partner-integration-prod')).err).toContain('nothing was changed');
  for (const option of ['--stage=prod', '--from=copy', '--partner=bars'])
    expect((await rig.run([option, '--yes'])).exit, option).toBe(2);
  expect(await rowsOf(rig.copy)).toEqual(before);
  for (const words of [[], ['--yes']])
    expect(await runWith(words)).toMatchObject({ exit: 2, err: 'It takes --from, or --in-place.' });
});
