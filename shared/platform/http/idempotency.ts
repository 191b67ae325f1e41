import { createHash } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import { type Failure, fail, failWithRetryAfter } from './failures.ts';
import type { IdempotencyStore, KeyedRequest, SavedResponse } from './idempotency-store.ts';

const visibleCharacters = /^[\x21-\x7e]{1,255}$/;

/** The draft of Idempotency-Key asks for a quoted string (RFC 8941): the same key as without the quotes. */
const quoted = /^"(?:[^"\\]|\\["\\])*"$/;

/** The request's Idempotency-Key, `undefined` when it has none, or what is wrong with it. */
export function keyOf(
  headers: Record<string, string | undefined>,
): string | undefined | Failure<'REQUEST_INVALID'> {
  const header = headers['idempotency-key'];
  const key = quoted.test(header ?? '') ? header?.slice(1, -1).replace(/\\(.)/g, '$1') : header;
  if (key === undefined || visibleCharacters.test(key)) return key;
  return fail('REQUEST_INVALID', 'idempotency-key: must have 1 to 255 visible ASCII characters');
}

/** One digest of what makes requests equal; each part is preceded by its length. */
export function fingerprintOf(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}

type Run = {
  requestId: string;
  clock: Clock;
  maxRunMs: number;
  work: (operationToken: string) => Promise<SavedResponse>;
  /** Headers with current values, which replace those of the stored response. */
  currentHeaders: () => Promise<Record<string, string>>;
  secretMembers?: readonly string[] | undefined;
  addFields: (fields: Record<string, unknown>) => void;
};

const replayed = { 'idempotent-replayed': 'true' };

/**
 * Runs `work` at most once for a key: an equal request gets the stored response, or 409 while the first is still
 * running; a different request with the same key gets 422. Only successes are stored: a refused request may be
 * corrected or repeated with its key.
 */
export async function once(store: IdempotencyStore, request: KeyedRequest, run: Run) {
  const beginning = await store.begin(request, run.requestId, run.clock.now(), run.maxRunMs);
  switch (beginning.state) {
    case 'answered':
      return {
        ...beginning.response,
        headers: { ...beginning.response.headers, ...(await run.currentHeaders()), ...replayed },
      };
    case 'running':
      return failWithRetryAfter(
        'REQUEST_IN_PROGRESS',
        1,
        'idempotency-key: its first request is still running, ask again in a second',
      );
    case 'other request':
      return fail(
        'IDEMPOTENCY_KEY_REUSED',
        'idempotency-key: was used with another request, use a new key for a new request',
      );
    case 'first':
      return keepResponse(store, request, { ...run, operationToken: beginning.operationToken });
  }
}

async function keepResponse(
  store: IdempotencyStore,
  request: KeyedRequest,
  { requestId, operationToken, clock, work, secretMembers, addFields }: Run & { operationToken: string },
): Promise<SavedResponse> {
  // A key that could not be released is free when the request's time is over.
  const free = (freed: Promise<void>) =>
    freed.catch((error: unknown) => addFields({ keyNotReleased: String(error) }));
  const response = await work(operationToken).catch(async (error: unknown) => {
    await free(store.abandon(request, requestId));
    throw error;
  });
  // An equal request that died may have had effects, although this one was refused: its token stays.
  const isRepeat = operationToken !== requestId;
  if (response.statusCode !== 200)
    await free(isRepeat ? store.abandon(request, requestId) : store.release(request, requestId));
  // The work is done: the caller gets its response even if it cannot be stored for a repetition.
  else
    await store
      .keep(request, { requestId, nowMs: clock.now() }, withoutSecrets(response, secretMembers))
      .catch((error: unknown) => addFields({ responseNotKept: String(error) }));
  return response;
}

/** A secret is shown once and never stored as it is. */
function withoutSecrets(response: SavedResponse, members: readonly string[] = []): SavedResponse {
  if (members.length === 0) return response;
  const body = JSON.parse(response.body);
  const nulls = Object.fromEntries(members.filter((name) => name in body).map((name) => [name, null]));
  return { ...response, body: JSON.stringify({ ...body, ...nulls }) };
}
