import * as z from 'zod/mini';
import type { Occasion } from '../../events/event.ts';
import { eventWrite } from '../../events/event-store.ts';
import { examinationKey } from '../../platform/table/row-keys/callbacks.ts';
import { readRow } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { transactional } from '../../platform/table/transactional.ts';
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
    /** Stores the outcome with its event. */
    save: async (endpoint: Endpoint, checks: readonly Judged[], { by, atMs }: Occasion): Promise<void> => {
      const { partnerId } = endpoint;
      const failed = checks.filter(({ verdict }) => verdict === 'FAILED').map(({ check }) => check);
      const passed = checks.filter(({ verdict }) => verdict === 'PASSED').length;
      const what = `examined: ${passed} checks passed, ${failed.length} failed`;
      const Item = { ...examinationKey(partnerId), at: atMs, failed, ...targetOf(endpoint) };
      const event = { kind: 'endpoint.examined' as const, by, atMs, data: { what, failed } };
      await transactional(table, [
        { Put: { TableName: table.name, Item } },
        eventWrite(table, partnerId, event),
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
