import type { ApiResponse, Send } from '../core/gateway.ts';
import type { Rng } from '../core/rng.ts';
import type { Time } from '../core/time.ts';

/** One request of a client that may repeat it. */
export interface Try {
  /** Absent when none came. */
  readonly response?: ApiResponse;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** What a client knows after its request: that of its last try. */
export interface Outcome extends Try {
  /** Some try may have taken effect without a response that says so. */
  readonly uncertain: boolean;
  readonly tries: readonly Try[];
}

interface Options {
  readonly authorization?: string;
  readonly offerId?: string;
  /** Retries under one Idempotency-Key until a response is conclusive; otherwise it tries once. */
  readonly persistent: boolean;
}

const tries = 30;

/** The first try of this very request is still running, or another list is being accepted. */
const passing = new Set(['REQUEST_IN_PROGRESS', 'SYNC_BEING_ACCEPTED', 'SYNC_UNAVAILABLE', 'PLACE_FULL']);

export function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : '';
}

/** Nothing was sent: the partner's minute has no room for it. */
export function isRateRefusal(response: ApiResponse | undefined): boolean {
  return response?.status === 429 || codeOf(response?.body) === 'RATE_LIMIT_EXCEEDED';
}

function isCertain(response: ApiResponse): boolean {
  const { status, body } = response;
  return (
    status === 200 || isRateRefusal(response) || (status < 500 && codeOf(body) !== 'REQUEST_IN_PROGRESS')
  );
}

function isLast({ status, body }: ApiResponse): boolean {
  return status === 200 || (status < 500 && status !== 429 && !passing.has(codeOf(body)));
}

/** Requests as real clients make them: one that cannot know the outcome retries under the same key. */
export function createClient({ time, rng, send }: { time: Time; rng: Rng; send: Send }) {
  return async (route: string, options: Options, body?: unknown): Promise<Outcome> => {
    const { authorization, offerId, persistent } = options;
    const headers = {
      ...(authorization ? { authorization } : {}),
      ...(offerId ? { offerid: offerId } : {}),
      ...(persistent && body !== undefined ? { 'idempotency-key': rng.bytes(12).toString('hex') } : {}),
    };
    const startedAt = time.now();
    let uncertain = false;
    let response: ApiResponse | undefined;
    const made: Try[] = [];
    for (let n = 1; n <= (persistent ? tries : 1); n++) {
      const triedAt = time.now();
      response = await send({ route, headers, body });
      made.push({ ...(response ? { response } : {}), startedAt: triedAt, endedAt: time.now() });
      uncertain ||= !response || !isCertain(response);
      if (response && isLast(response)) break;
      if (persistent) await time.sleep(rng.between(500, 20_000));
    }
    const endedAt = made.at(-1)?.endedAt ?? startedAt;
    return { ...(response ? { response } : {}), uncertain, tries: made, startedAt, endedAt };
  };
}
