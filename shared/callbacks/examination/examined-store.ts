import * as z from 'zod/mini';
import { examinationKey } from '../../platform/table/row-keys/callbacks.ts';
import { putRow, readRow } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Judged } from './judge.ts';
import { CheckName } from './meanings.ts';

const Examined = z.object({
  at: z.number(),
  failed: z.array(CheckName),
  /** The address and the ages of the secrets that were examined: the result says nothing about others. */
  url: z.string(),
  secretsFrom: z.array(z.number()),
});
export type Examined = z.infer<typeof Examined>;

/** The outcome of an endpoint's last examination, shown until its address or secrets change. */
export function examinedStore(table: Table) {
  return {
    save: (endpoint: Endpoint, checks: readonly Judged[], nowMs: number): Promise<void> =>
      putRow(table, {
        ...examinationKey(endpoint.partnerId),
        at: nowMs,
        failed: checks.filter(({ verdict }) => verdict === 'FAILED').map(({ check }) => check),
        ...targetOf(endpoint),
      }),

    /** `undefined` if the endpoint was not examined as it is now. */
    find: async (endpoint: Endpoint): Promise<Examined | undefined> => {
      const examined = z.optional(Examined).parse(await readRow(table, examinationKey(endpoint.partnerId)));
      const isSame = examined && JSON.stringify(targetOf(examined)) === JSON.stringify(targetOf(endpoint));
      return isSame ? examined : undefined;
    },
  };
}

function targetOf(of: Endpoint | Examined) {
  const { url } = of;
  const secretsFrom =
    'secretsFrom' in of ? of.secretsFrom : of.signingSecrets.map(({ createdAt }) => createdAt);
  return { url, secretsFrom };
}
