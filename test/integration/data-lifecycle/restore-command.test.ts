import { expect, inject, test } from 'vitest';
import { promotionKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { stateFolder } from '../../support/command.ts';
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

test('the prompt names the copy and the table', async () => {
  const { live, copy, on } = await damagedRig();
  const questions: string[] = [];
  expect(await runWith(on, live.name, questions)).toMatchObject({ exit: 0 });
  expect(questions).toEqual([
    `1 row of ${live.name} will be written or deleted, to be as in ${copy.name}.\nType the table's name to go on: `,
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
