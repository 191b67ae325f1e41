import { useMutation } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import type { Answer } from '../../api/operations.ts';
import { useKept } from '../../session/kept.ts';
import { useSession } from '../../session/session.tsx';
import { contentOf, type Draft } from './draft.ts';

/** What became of a send, as it was answered. Numbers are in memory only. */
export type Send = { id: string; at: string; title: string; answers: SentMessage[] };

type BulkAnswer = Answer<'POST /push/bulk/single'>;
/** Only the answer of a dry run has no id. */
type SentMessage = BulkAnswer[number] & { messageId: string };

/** A request and its key: the same request gets the same key until it is renewed. */
type KeyedRequest = { request: string; key: string; state: 'new' | 'sending' | 'failed' | 'answered' };

const sendsKept = 20;
type Headers = Record<string, string>;

const noSends: readonly Send[] = [];
const noRequest: KeyedRequest = { request: '', key: '', state: 'new' };

export function useSends() {
  return useKept('sends', noSends);
}

export function keyedRequest(before: KeyedRequest, request: string, newKey: () => string): KeyedRequest {
  return before.request === request ? before : { request, key: newKey(), state: 'new' };
}

/** Sends a draft once, however often it is clicked or repeated after a lost answer, until `renew`. */
export function useSending(draft: Draft, numbers: readonly number[]) {
  const { call } = useSession();
  const [, setSends] = useSends();
  const [last, setLast] = useKept('draft request', noRequest);
  const content = contentOf(draft);
  const request = JSON.stringify([content, numbers]);

  const isLast = last.request === request;

  const { mutate, error } = useMutation<Send, ApiError, string>({
    mutationFn: async (key) => {
      const become = (state: KeyedRequest['state']) =>
        setLast((before) => (before.key === key ? { ...before, state } : before));
      try {
        const answered = await answersTo(content, numbers, { 'idempotency-key': key });
        const answers = answered.map(({ messageId = '', ...rest }) => ({ messageId, ...rest }));
        const send = { id: key, at: new Date().toISOString(), title: draft.title, answers };
        setSends((before) => [send, ...before].slice(0, sendsKept));
        become('answered');
        return send;
      } catch (failure) {
        become('failed');
        throw failure;
      }
    },
  });

  async function answersTo(
    body: typeof content,
    [msisdn, ...others]: readonly number[],
    headers: Headers,
  ): Promise<BulkAnswer> {
    if (msisdn === undefined) return [];
    if (others.length > 0)
      return call('POST /push/bulk/single', { body: { ...body, msisdn: [msisdn, ...others] } }, { headers });
    return [{ msisdn, ...(await call('POST /push/delivery', { body: { ...body, msisdn } }, { headers })) }];
  }

  function send(done: (send: Send) => void) {
    let keyed = last;
    // Of two clicks that come before the page shows the first, the second sees what the first has set.
    setLast((before) => {
      keyed = keyedRequest(before, request, () => crypto.randomUUID());
      return { ...keyed, state: keyed.state === 'answered' ? 'answered' : 'sending' };
    });
    if (keyed.state === 'new' || keyed.state === 'failed') mutate(keyed.key, { onSuccess: done });
  }

  return {
    send,
    isPending: isLast && last.state === 'sending',
    error: isLast ? error : null,
    /** This very draft is sent: it is sent again only after `renew`. */
    isSent: isLast && last.state === 'answered',
    renew: () => setLast(() => noRequest),
  };
}
