import type { Failure } from '../platform/http/failures.ts';
import { type HttpDeps, httpHandler, type Outcome } from '../platform/http/http-handler.ts';
import type { Call, Caller, Operation } from '../platform/http/operation.ts';
import type { Table } from '../platform/table/table.ts';
import { keyFailure } from './key.ts';
import { type ActingKey, isLive } from './key-rules.ts';
import { keyStore } from './key-store.ts';

/**
 * Rule 50: keys as they are at this moment, for operations that change settings or promotions, or start a replay, a test or a
 * cancellation. Sends, lists and redemptions need not ask.
 */
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

type ByKey = { partnerId: string; key: ActingKey };
type LiveKeyDeps<Op extends Operation> = HttpDeps<Op> & { keys: ReturnType<typeof liveKeys> };

/** Makes the Lambda handler of an operation that refuses a key, or a secret, that has ended. */
export function liveKeyHandler<const Op extends Operation & { caller: Caller<ByKey> }>(
  op: Op,
  deps: LiveKeyDeps<Op>,
  handle: (call: Call<Op>) => Promise<Outcome<Op>>,
) {
  return httpHandler(op, deps, async (call) => {
    const { partnerId, key } = call as Call<Op> & ByKey;
    return ((await deps.keys.refuseEnded(partnerId, key)) as Outcome<Op> | undefined) ?? handle(call);
  });
}
