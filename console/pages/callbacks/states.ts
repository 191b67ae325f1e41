import type { ResponseTo } from '../../api/operations.ts';

type Callback = ResponseTo<'GET /callbacks'>['callbacks'][number];
export type CallbackState = Callback['state'];

/** All states that are called back. The type refuses a list that lacks one. */
const meanings: Readonly<Record<CallbackState, true>> = {
  DELIVERED: true,
  OPENED: true,
  EXPIRED: true,
  CANCELLED: true,
};
export const callbackStates = Object.keys(meanings) as CallbackState[];

/**
 * True if no callback of a message can change any more, unless a user replays it. `chosen`: the states that the endpoint
 * is called back about. EXPIRED and CANCELLED are exceptions, and expected only where nothing else was chosen.
 */
export function haveEnded(
  page: Pick<ResponseTo<'GET /callbacks'>, 'callbacks'> | undefined,
  chosen: readonly CallbackState[] = callbackStates,
): boolean {
  const { callbacks = [] } = page ?? {};
  const usual = chosen.filter((state) => state === 'DELIVERED' || state === 'OPENED');
  const expected = usual.length === 0 ? chosen : usual;
  return (
    expected.every((state) => callbacks.some((callback) => callback.state === state)) &&
    callbacks.every(({ status }) => status !== 'waiting')
  );
}
