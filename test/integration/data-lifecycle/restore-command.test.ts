import { expect, inject, test } from 'vitest';
import { loginKey, offerKey, partnerKey } from '../../../shared/platform/table/row-keys/partners.ts';
import { promotionKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import { deleteRow, readRow, updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import { stateFolder } from '../../support/command.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { operatorPolicy } from '../../support/operator-policies.ts';
import { policedEngine } from '../../support/policed-engine.ts';
import { restoreFixture } from './restore-rig.ts';

const { fast, liveAndCopy, runWith } = restoreFixture();

/** Sets up the command on a damaged table and a copy of it. */
async function damagedRig() {
  const { live, copy } = await liveAndCopy();
  const set = { discount: '0 %' };
  await updateRow(live, { Key: promotionKey('bars', 1), ...updateExpression({ set }) });
  const on = [`--from=${copy.name}`, `--state=${stateFolder(live.name, inject('dynamodbEndpoint'))}`, fast];
  return { live, copy, on };
}

const rig = inEachTest(damagedRig);

test('the prompt names the copy and the table', async () => {
  const questions: string[] = [];
  expect(await runWith(rig.on, rig.live.name, questions)).toMatchObject({ exit: 0 });
  expect(questions).toEqual([
    `1 row of ${rig.live.name} will be written, to be as in ${rig.copy.name}.\nType the table's name to go on: `,
  ]);
});

test('a restore that fails in the middle says how many of its rows are written', async () => {
  await updateRow(rig.live, {
    Key: promotionKey('bakery', 1),
    ...updateExpression({ set: { discount: '1 %' } }),
  });
  await deleteRow(rig.live, offerKey('bars-of-moscow'));
  const engine = await policedEngine({ [rig.live.name]: 'TABLE', [rig.copy.name]: 'RESTORED' });
  // It may put back the row that is gone, and not those that differ.
  engine.under(
    operatorPolicy('restore').map((one) => ({
      ...one,
      actions: one.actions.filter((action) => action !== 'dynamodb:UpdateItem'),
    })),
  );
  const state = `--state=${stateFolder(rig.live.name, engine.endpoint)}`;
  const { exit, err } = await runWith([`--from=${rig.copy.name}`, state, fast, '--yes']);
  expect([exit, ...err.split('\n')]).toEqual([
    1,
    'It failed: 1 of 3 rows are written.',
    expect.stringMatching(
      /^The table refused \(AccessDeniedException\): .+\. docs\/deploying\.md has the policies of commands\. Part or all of it may be done: run it again\.$/,
    ),
  ]);
});

test('a copy of another stage is refused, and one whose name tells no stage is not', async () => {
  const live = 'partner-integration-prod-data-Table-1A2B3C4D5E6F';
  const from = (copy: string) =>
    runWith([`--from=${copy}`, `--state=${stateFolder(live, 'http://127.0.0.1:9')}`, '--yes']);
  for (const copy of ['partner-integration-staging-restored', 'partner-integration-dev-data-Table-RESTORED'])
    expect(await from(copy)).toEqual({
      exit: 2,
      out: '',
      err: `--from names a copy of stage ${copy.split('-')[2]}, and ${live} is of stage prod.`,
    });
  for (const copy of ['partner-integration-prod-restored', 'restored'])
    expect([copy, (await from(copy)).err]).toEqual([
      copy,
      expect.stringMatching(/^The service does not run on /),
    ]);
});

test('a damaged row that leads to a partner is put back alone, and from a copy in which others are damaged', async () => {
  const damage = (table: Table, Key: RowKey, set: Record<string, unknown>) =>
    updateRow(table, { Key, ...updateExpression({ set }) });
  for (const [kind, key, set] of [
    ['partner entry', partnerKey('bars'), { logins: 'bars-api' }],
    ['key', loginKey('bars-api'), { disabled: 'yes' }],
    ['offer', offerKey('bars-of-moscow'), { checkInLifetimeMs: 'long' }],
  ] as const) {
    const before = await readRow(rig.live, key);
    await damage(rig.live, partnerKey('bakery'), { version: 'damaged too' });
    await damage(rig.live, key, set);
    const run = await runWith([...rig.on, '--yes', '--partner=bars', `--kind=${kind}`]);
    expect([kind, run]).toMatchObject([kind, { exit: 0, err: '' }]);
    expect(run.out).toContain('Wrote 1 row.');
    expect([kind, await readRow(rig.live, key)]).toEqual([kind, before]);
  }
  await damage(rig.copy, loginKey('bars-api'), { disabled: 'yes' });
  expect((await runWith([...rig.on, '--yes', '--partner=bars', '--kind=promotion'])).out).toContain(
    'Wrote 1 row.',
  );
});

test('a restore reads the copy, again to write, and each row that it compares in the live table', async () => {
  const readUnits = async (...options: string[]) => {
    const { out } = await runWith([...rig.on, ...options]);
    const [, units = ''] = /It took ([\d,.]+) read units/.exec(out) ?? [];
    return Number(units.replaceAll(',', ''));
  };
  const dry = await readUnits('--dry-run', '--kind=promotion');
  expect(await readUnits('--yes', '--kind=promotion')).toBe(2 * dry);
  const others = (await rig.live.rows()).filter(({ pk }) => !String(pk).startsWith('PROMOS#'));
  expect((await readUnits('--dry-run')) - dry).toBeGreaterThan(others.length);
});
