import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { type Rate, rateIn } from '../../session/rate.ts';
import { useSession } from '../../session/session.tsx';
import { useSessionState } from '../../session/session-state.ts';
import { contentOf, type Draft } from './draft.ts';

/**
 * A request, its idempotency key and when it was first sent. The same request gets the same key until `renew`. It is kept
 * while the page is left. `messageId` is empty unless it has sent a single message, which the list of sends does not have.
 */
type KeyedRequest = {
  request: string;
  key: string;
  atMs: number;
  state: 'new' | 'sending' | 'failed' | 'sent';
  error: ApiError | null;
  /** True if a try may have sent it. A later try that is refused says nothing about that one. */
  mayBeSent: boolean;
  messageId: string;
  /** How many of its numbers have a wallet app. Nothing was sent to the others. */
  reached: number;
};
type Outcome = Pick<KeyedRequest, 'messageId' | 'reached'>;

const noRequest: KeyedRequest = {
  request: '',
  key: '',
  atMs: 0,
  state: 'new',
  error: null,
  mayBeSent: false,
  messageId: '',
  reached: 0,
};

/** Sends a draft once until `renew`, even if the user clicks twice or repeats it after a lost response. */
export function useSending(draft: Draft, numbers: readonly number[]) {
  const { call } = useSession();
  const queries = useQueryClient();
  const [last, setLast] = useSessionState('draft request', noRequest);
  const content = contentOf(draft);
  const request = JSON.stringify([content, numbers]);

  const own = last.request === request ? last : noRequest;

  const change = (key: string, changed: (before: KeyedRequest) => Partial<KeyedRequest>) =>
    setLast((before) => (before.key === key ? { ...before, ...changed(before) } : before));

  // These are called also if the page was left.
  const { mutate } = useMutation<Outcome, ApiError, string>({
    mutationFn: outcomeOf,
    onSuccess: (outcome, key) => change(key, () => ({ state: 'sent', ...outcome })),
    onError: (error, key) =>
      change(key, ({ mayBeSent }) => ({ state: 'failed', error, mayBeSent: mayBeSent || error.mayBeDone })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['GET /push'] }),
  });

  async function outcomeOf(key: string): Promise<Outcome> {
    const headers = { 'idempotency-key': key };
    const [msisdn, ...others] = numbers;
    if (msisdn === undefined || others.length > 0) {
      const body = { ...content, msisdn: [...numbers] };
      const messages = await call('POST /push/bulk/single', { body }, { headers });
      return { messageId: '', reached: reachedBy(messages) };
    }
    const sent = await call('POST /push/delivery', { body: { ...content, msisdn } }, { headers });
    return { messageId: sent.messageId ?? '', reached: reachedBy([sent]) };
  }

  function send(follow: (messageId: string) => void) {
    let keyed = last;
    // A second click may come before the page is drawn again, and must see the state that the first click has set.
    setLast((before) => {
      const unsent = { ...noRequest, request, key: crypto.randomUUID(), atMs: Date.now() };
      keyed = before.request === request ? before : unsent;
      return keyed.state === 'sent' ? keyed : { ...keyed, state: 'sending', error: null };
    });
    if (keyed.state !== 'sending' && keyed.state !== 'sent')
      mutate(keyed.key, { onSuccess: ({ messageId }) => messageId !== '' && follow(messageId) });
  }

  return {
    /** Tells one send from another. */
    request,
    send,
    isPending: own.state === 'sending',
    error: own.error,
    mayBeSent: own.mayBeSent,
    /** True if this draft has been sent. It can be sent again only after `renew`. */
    isSent: own.state === 'sent',
    /** The id of the message that was sent; empty if there is none, or more than one. */
    messageId: own.messageId,
    reached: own.reached,
    /** When this draft was first sent; undefined if it was not, or failed without any doubt. */
    sentAtMs: own.mayBeSent || own.state === 'sending' || own.state === 'sent' ? own.atMs : undefined,
    renew: () => setLast(() => noRequest),
  };
}

type Reach = { request: string; reached: number; rate: Rate | undefined };

/** Asks by a dry run how many numbers a send would reach, and how much is then left of the rate of its minute. The response is to the very request it was made for. */
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

/** How many of the messages have a recipient with a wallet app. */
function reachedBy(messages: readonly { state?: string }[]): number {
  return messages.filter(({ state }) => state !== 'MSISDN_NOT_REGISTERED').length;
}
