import { type MutationState, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { type Rate, rateIn } from '../../session/rate.ts';
import { useSession, useSessionState } from '../../session/session.tsx';
import { contentOf, type Draft } from './draft.ts';

/** A try to send a request. All tries of the same request have the same idempotency key until `renew`. */
type Try = {
  request: string;
  key: string;
  content: ReturnType<typeof contentOf>;
  numbers: readonly number[];
};
type TryState = MutationState<Outcome, ApiError, Try>;

type Outcome = {
  /** The ids of its messages, one for each number. */
  ids: readonly string[];
  /** How many of its numbers have a wallet app. Nothing was sent to the others. */
  reached: number;
};

const mutationKey = ['send'];

/** The service knows an idempotency key for 24 hours. */
const triesKeptMs = 24 * 3_600_000;

/**
 * Sends a draft once until `renew`, even if the user clicks twice or repeats it after a lost response. The tries are kept
 * while the page is left.
 */
export function useSending(draft: Draft, numbers: readonly number[]) {
  const { call } = useSession();
  const queries = useQueryClient();
  const cache = queries.getMutationCache();
  const [closed, close] = useClosed();
  const content = contentOf(draft);
  const request = JSON.stringify([content, numbers]);

  const { mutate } = useMutation<Outcome, ApiError, Try>({
    mutationKey,
    gcTime: triesKeptMs,
    mutationFn: outcomeOf,
    onSettled: () => queries.invalidateQueries({ queryKey: ['GET /push'] }),
  });

  async function outcomeOf({ key, content, numbers }: Try): Promise<Outcome> {
    const headers = { 'idempotency-key': key };
    const [msisdn, ...others] = numbers;
    if (msisdn === undefined || others.length > 0) {
      const body = { ...content, msisdn: [...numbers] };
      return outcomeIn(await call('POST /push/bulk/single', { body }, { headers }));
    }
    return outcomeIn([await call('POST /push/delivery', { body: { ...content, msisdn } }, { headers })]);
  }

  const isOwn = ({ variables }: { variables: unknown }) => {
    const tried = variables as Try | undefined;
    return tried?.request === request && !(tried.key in closed);
  };
  const triesNow = () => cache.findAll({ mutationKey, predicate: ({ state }) => isOwn(state) });

  function send(follow: (messageId: string) => void) {
    // A second click may come before the page is drawn again, and must see the try that the first click has begun.
    const tries = triesNow();
    if (tries.some(({ state: { status } }) => status !== 'error')) return;
    const key = (tries[0] && keyOf(tries[0])) ?? crypto.randomUUID();
    mutate(
      { request, key, content, numbers },
      { onSuccess: ({ ids: [id, ...others] }) => id && !others.length && follow(id) },
    );
  }

  // The hook does not notice that its filter has changed, so it gives the tries of all requests.
  const states = useMutationState({
    filters: { mutationKey },
    select: ({ state }) => state as TryState,
  });
  const tries = states.filter(isOwn);
  const [first] = tries;
  const last = tries.at(-1);
  // A later try that is refused says nothing about one that may have sent it.
  const mayBeSent = tries.some(({ error }) => error?.mayBeDone);
  return {
    /** Tells one send from another. */
    request,
    send,
    isPending: last?.status === 'pending',
    error: last?.error ?? null,
    mayBeSent,
    /** The outcome of sending this draft, and when it was sent. The draft can be sent again only after `renew`. */
    outcome: last?.data && { ...last.data, atMs: last.submittedAt },
    /** When this draft was first sent; undefined if it was not, or failed without any doubt. */
    sentAtMs: mayBeSent || (last && last.status !== 'error') ? first?.submittedAt : undefined,
    renew: () => close(triesNow(), 'renewed'),
  };
}

/** Returns the sends since somebody signed in, the newest first, and whether they were taken back here. */
export function useSent() {
  const [closed] = useClosed();
  const states = useMutationState({
    filters: { mutationKey, status: 'success' },
    select: ({ state }) => state as TryState,
  });
  const sent = states.flatMap(({ data, variables, submittedAt: atMs }) =>
    data && variables
      ? { ...variables, ...data, atMs, isTakenBack: closed[variables.key] === 'taken back' }
      : [],
  );
  return sent.reverse();
}

type Reach = { request: string; reached: number; rate: Rate | undefined };

/**
 * Asks by a dry run how many numbers a send would reach, and how much is then left of the rate of its minute. The response
 * is to the very request it was made for.
 */
export function useReach(request: string, draft: Draft, numbers: readonly number[]) {
  const { call } = useSession();
  const { mutate, data, error, isPending, variables } = useMutation<Reach, ApiError, string>({
    mutationFn: async (asked) => {
      const body = { ...contentOf(draft), msisdn: [...numbers] };
      let rate: Rate | undefined;
      const onHeaders = (headers: Headers) => {
        rate = rateIn(headers);
      };
      const messages = await call('POST /push/bulk/single', { query: { dryRun: true }, body }, { onHeaders });
      return { request: asked, reached: reachedBy(messages), rate };
    },
  });
  const isLast = variables === request;
  const { reached, rate } = data?.request === request ? data : {};
  return {
    ask: () => mutate(request),
    reached,
    rate,
    error: isLast ? error : null,
    isPending: isLast && isPending,
  };
}

/**
 * Returns a function that marks what was sent as taken back: the page must not say of a draft that it is sent or planned
 * when nobody gets it. Of several messages one that is taken back alone changes nothing.
 */
export function useTakenBack() {
  const cache = useQueryClient().getMutationCache();
  const [, close] = useClosed();
  return (of: 'send' | 'message', messageId: string) => {
    const isGone = ({ ids }: Outcome) => ids.includes(messageId) && (of === 'send' || ids.length === 1);
    const gone = cache
      .findAll({ mutationKey })
      .filter(({ state }) => state.data && isGone(state.data as Outcome));
    // An earlier try, whose response was lost, sent the same, and has the same key.
    close(gone, 'taken back');
  };
}

type Closed = Readonly<Record<string, 'renewed' | 'taken back'>>;
type Tried = { state: { variables: unknown } };

const none: Closed = {};

/** The idempotency keys whose requests may be sent again under another one, and a function that adds those of tries. */
function useClosed() {
  const [closed, setClosed] = useSessionState('closed sends', none);
  const close = (tries: readonly Tried[], why: Closed[string]) =>
    setClosed((before) => ({
      ...before,
      ...Object.fromEntries(tries.map((one) => [keyOf(one), why])),
    }));
  return [closed, close] as const;
}

function keyOf({ state }: Tried): string | undefined {
  return (state.variables as Try | undefined)?.key;
}

type Messages = readonly { messageId?: string | undefined; state?: string }[];

function outcomeIn(messages: Messages): Outcome {
  return { ids: messages.flatMap(({ messageId = [] }) => messageId), reached: reachedBy(messages) };
}

/** How many of the messages have a recipient with a wallet app. */
function reachedBy(messages: Messages): number {
  return messages.filter(({ state }) => state !== 'MSISDN_NOT_REGISTERED').length;
}
