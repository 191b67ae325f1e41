import * as z from 'zod/mini';
import type { Occasion } from '../../events/event.ts';
import { eventWrite } from '../../events/event-store.ts';
import { examinationKey } from '../../platform/table/row-keys/callbacks.ts';
import { readRow } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { transactional } from '../../platform/table/transactional.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Judged } from './judge.ts';

const Examined = z.object({
  at: z.number(),
  /** Names of checks, which another version may have others of. */
  failed: z.array(z.string()),
  skipped: z.int(),
  /** The address and the ages of the secrets that were examined: the result says nothing about others. */
  url: z.string(),
  secretsFrom: z.array(z.number()),
});
export type Examined = z.infer<typeof Examined>;

/** The outcome of an endpoint's last examination, shown until its address or secrets change. */
export function examinedStore(table: Table) {
  return {
    save: async (endpoint: Endpoint, checks: readonly Judged[], { atMs, by }: Occasion): Promise<void> => {
      const { partnerId } = endpoint;
      const having = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted);
      const failed = having('FAILED').map(({ check }) => check);
      const skipped = having('SKIPPED').length;
      const Item = { ...examinationKey(partnerId), at: atMs, failed, skipped, ...targetOf(endpoint) };
      const told = failed.length > 0 ? failed.join(', ') : 'no check';
      const data = { what: `examined: ${told} failed${skipped > 0 ? `, ${skipped} skipped` : ''}` };
      await transactional(table, [
        { Put: { TableName: table.name, Item } },
        eventWrite(table, partnerId, { kind: 'endpoint.examined', atMs, by, data }),
      ]);
    },

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
