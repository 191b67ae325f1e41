import { type HttpDeps, httpHandler, type Outcome } from '../platform/http/http-handler.ts';
import type { Call, Caller, Operation } from '../platform/http/operation.ts';
import type { Table } from '../platform/table/table.ts';
import { keyFailure } from './key.ts';
import { type ActingKey, isLive } from './key-rules.ts';
import { readKey } from './partner-rows.ts';

type ByKey = { partnerId: string; key: ActingKey };

/**
 * Rule 50: keys as they are at this moment, for operations that change settings or promotions, or start a replay, a test or a
 * cancellation. Sends, lists and redemptions need not ask.
 */
export function liveKeys(table: Table) {
  return {
    /**
     * Whether the key of a request, and the secret that was used, have not ended. The gateway may let it in for some
     * minutes more, so this is read consistently just before the change: 1 read unit.
     */
    isLive: async ({ partnerId, key }: ByKey): Promise<boolean> => {
      const stored = await readKey(table, key.login);
      return stored?.partnerId === partnerId && isLive(stored, key);
    },
  };
}

type LiveKeyDeps<Op extends Operation> = HttpDeps<Op> & { keys: ReturnType<typeof liveKeys> };

/** Makes the Lambda handler of an operation that refuses a key, or a secret, that has ended. */
export function liveKeyHandler<const Op extends Operation & { caller: Caller<ByKey> }>(
  op: Op,
  deps: LiveKeyDeps<Op>,
  handle: (call: Call<Op>) => Promise<Outcome<Op>>,
) {
  return httpHandler(op, deps, async (call) => {
    const caller = call as Call<Op> & ByKey;
    if (await deps.keys.isLive(caller)) return handle(call);
    return keyFailure('ended', caller.key.login) as Outcome<Op>;
  });
}
