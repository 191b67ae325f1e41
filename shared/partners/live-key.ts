import type { Failure } from '../platform/http/failures.ts';
import type { Table } from '../platform/table/table.ts';
import { keyFailure } from './key.ts';
import { type ActingKey, isLive } from './key-rules.ts';
import { keyStore } from './key-store.ts';

/** Rule 50: keys as they are at this moment, for operations that change something. */
export function liveKeys(table: Table) {
  const { find } = keyStore(table);
  return {
    /**
     * The failure of a request whose key, or the secret that was used, has ended. The gateway may let it in for some
     * minutes more, so this is read consistently just before the change: 1 read unit.
     */
    refuseEnded: async (
      partnerId: string,
      key: ActingKey,
    ): Promise<Failure<'ROLE_FORBIDDEN'> | undefined> => {
      const stored = await find(partnerId, key.login);
      return stored && isLive(stored, key) ? undefined : keyFailure('ended', key.login);
    },
  };
}
