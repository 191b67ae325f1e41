import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { withTarget } from '../../../ops/cli/target.ts';
import { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { StoredKey } from '../../../shared/partners/partner-rows.ts';
import { endpointKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { loginKey } from '../../../shared/platform/table/row-keys/partners.ts';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import {
  putRow,
  readRow,
  rowExists,
  updateExpression,
  updateRow,
} from '../../../shared/platform/table/rows.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const rig = inEachTest(partnerCliRig);
const key = loginKey('bars-api');
const damaged =
  "The row 'ACCOUNT#bars-api -' is damaged (disabled: must be true or false). Put it back from a copy of the table, by npm run restore with --rows 'ACCOUNT#bars-api', or delete it if no copy has it.";

function damage(row: RowKey, set: Record<string, unknown>) {
  return updateRow(rig.table, { Key: row, ...updateExpression({ set }) });
}

/** Returns what is said of a command that does this. */
function said(work: (table: Table) => Promise<unknown>): Promise<string> {
  return withTarget({ state: rig.stateDir }, ({ table }) => work(table)).then(
    () => '',
    ({ message }: Error) => message,
  );
}

test('a damaged row is named although others were read since, whole or in part', async () => {
  await rig.createBars();
  await damage(key, { disabled: 'yes' });
  const circuit = endpointKey('bars', 'CIRCUIT');
  await putRow(rig.table, { ...circuit, failures: 0, openings: 0, version: 1 });
  for (const readSince of [circuit, key])
    expect(
      await said(async (table) => {
        const rows = [await readRow(table, key)];
        if (readSince === circuit) await readRow(table, circuit);
        else await rowExists(table, key);
        return z.array(StoredKey).parse(rows);
      }),
    ).toBe(damaged);
});

test('no row that is fine is said to be damaged', async () => {
  await rig.createBars();
  const circuit = endpointKey('bars', 'CIRCUIT');
  await putRow(rig.table, { ...circuit, failures: 0, openings: 0, version: 1 });
  for (const read of [circuit, key])
    expect(
      await said(async (table) => {
        await readRow(table, read);
        return Endpoint.parse({});
      }),
    ).not.toContain('is damaged');
  await putRow(rig.table, { ...endpointKey('bars', 'PACE'), slotsUntil: 'soon' });
  expect((await rig.run('show bars')).err).toBe(
    "The row 'ENDPOINT#bars PACE' is damaged (slotsUntil: must be a number). Delete it: no restore puts such a row back.",
  );
});
