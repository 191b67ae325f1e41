import * as z from 'zod/mini';
import { type Clock, days, epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { readUnchanging } from '../table/batches.ts';
import { idempotencyKey, keptResponseKey } from '../table/row-keys/requests.ts';
import type { RowKey } from '../table/row-keys/row-key.ts';
import { deleteIf, putIf, putRow, still, updateIf, updateIfStill } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { type Failure, fail, failWithRetryAfter, isFailure } from './failures.ts';

type Run = {
  clock: Clock;
  maxRunMs: number;
  work: (operation: KeyedOperation) => Promise<SavedResponse>;
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
  const begun = await store.begin(request, run.clock.now(), run.maxRunMs);
  if ('token' in begun) return keepResponse(store, request, { ...run, operation: begun });
  if (isFailure(begun)) return begun;
  return { ...begun, headers: { ...begun.headers, ...(await run.currentHeaders()), ...replayed } };
}

const stillRunning = failWithRetryAfter(
  'REQUEST_IN_PROGRESS',
  1,
  'idempotency-key: its first request is still running, ask again in a second',
);

const otherRequest = fail(
  'IDEMPOTENCY_KEY_REUSED',
  'idempotency-key: was used with another request, use a new key for a new request',
);

async function keepResponse(
  store: IdempotencyStore,
  request: KeyedRequest,
  { operation, clock, work, secretMembers, addFields }: Run & { operation: KeyedOperation },
): Promise<SavedResponse> {
  // A key that could not be released is free when the request's time is over.
  const free = (freed: Promise<void>) =>
    freed.catch((error: unknown) => addFields({ keyNotReleased: String(error) }));
  const response = await work(operation).catch(async (error: unknown) => {
    await free(store.abandon(request));
    throw error;
  });
  // An equal request that died may have had effects, although this one was refused: its token stays.
  const isRepeat = operation.token !== request.requestId;
  if (response.statusCode !== 200) await free(isRepeat ? store.abandon(request) : store.release(request));
  // The work is done: the caller gets its response even if it cannot be stored for a repetition.
  else
    await store
      .keep(request, withoutSecrets(response, secretMembers), clock.now())
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

/** One request with an Idempotency-Key. `fingerprint` is a digest of what makes requests equal. */
export type KeyedRequest = {
  requestId: string;
  callerId: string;
  operation: string;
  key: string;
  fingerprint: string;
};

export type SavedResponse = { statusCode: number; headers: Record<string, string>; body: string };

/**
 * What a request does, together with equal ones that died while they ran and may have had effects: `token` is the id of
 * the first of them, which began at `beganAt` (ms).
 */
export type KeyedOperation = { token: string; beganAt: number };

/** The operation that the request begins or continues, the response that an equal one got, or why there is neither. */
type Beginning = KeyedOperation | SavedResponse | Failure;

const keptMs = days(1);
function expiryOf(nowMs: number): number {
  return epochSeconds(nowMs + keptMs);
}

/**
 * The bytes of a key, and of the headers and gzipped body of its response, that fit into a row of 1 kB: the rest of the
 * row takes 260. Each request under a key writes its row or fails to, and pays for its size.
 */
const roomInRow = 1_024 - 260;

const GzippedBody = z.object({ gzippedBody: z.instanceof(Uint8Array) });

const Packed = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  /** Absent if the body has a row of its own. */
  gzippedBody: z.optional(GzippedBody.shape.gzippedBody),
});

const Row = z.object({
  fingerprint: z.string(),
  requestId: z.string(),
  runningUntil: z.number(),
  keptUntil: z.number(),
  savedResponse: z.optional(Packed),
  /** The id of the first of several equal requests that died, and when it began. */
  operationToken: z.optional(z.string()),
  operationBeganAt: z.optional(z.number()),
});

/**
 * Stores each request with a key for 24 h. The key's row is written with a condition, so of any number of equal
 * requests at once one runs. When a request died without a response, an equal one continues it after `runningUntil`,
 * when its function cannot be running any more. A large response has a row of its own, so that the key's row stays small.
 */
export function idempotencyStore(table: Table) {
  return {
    begin: async (request: KeyedRequest, nowMs: number, maxRunMs: number): Promise<Beginning> => {
      const { requestId, fingerprint } = request;
      const own = {
        ...idempotencyKey(request),
        fingerprint,
        requestId,
        runningUntil: nowMs + maxRunMs,
        keptUntil: nowMs + keptMs,
        expiresAt: expiryOf(nowMs),
      };
      const taken = await putIf(table, {
        Item: own,
        ConditionExpression: 'attribute_not_exists(pk) OR keptUntil <= :now',
        ExpressionAttributeValues: { ':now': nowMs },
      });
      if (taken.applied) return { token: requestId, beganAt: nowMs };
      const before = Row.parse(taken.row);
      const hasDied = before.savedResponse === undefined && before.runningUntil <= nowMs;
      if (!hasDied || before.fingerprint !== fingerprint) return describeBeginning(table, before, request);
      const operation = operationOf(before);
      // The token is taken over in the same write, because this request may die at its next step too.
      const continued = await putIf(table, {
        Item: { ...own, operationToken: operation.token, operationBeganAt: operation.beganAt },
        ConditionExpression: 'requestId = :died AND attribute_not_exists(savedResponse)',
        ExpressionAttributeValues: { ':died': before.requestId },
      });
      if (continued.applied) return operation;
      // The request that died was refused after all, which freed the key.
      if (!continued.row) return stillRunning;
      return describeBeginning(table, Row.parse(continued.row), request);
    },

    /** Stores the response for later equal requests. If a newer request has the key, they get nothing of it. */
    keep: async (request: KeyedRequest, response: SavedResponse, nowMs: number): Promise<void> => {
      const { requestId } = request;
      const { body, ...rest } = response;
      const key = idempotencyKey(request);
      // The response of a large bulk send is a megabyte of text, and a row takes 400 kB.
      const gzippedBody = await gzip(body);
      const isSmall = key.pk.length + JSON.stringify(rest.headers).length + gzippedBody.length <= roomInRow;
      // The body comes first: a key whose row says that the response is kept has all of it.
      const expiresAt = expiryOf(nowMs);
      if (!isSmall)
        await putRow(table, { ...keptResponseKey(key, requestId), requestId, gzippedBody, expiresAt });
      const kept = isSmall ? { ...rest, gzippedBody } : rest;
      await updateIf(table, { Key: key, ...updateIfStill({ requestId }, { set: { savedResponse: kept } }) });
    },

    /** Lets the next equal request continue where this one failed: this one may have had effects. */
    abandon: (request: KeyedRequest): Promise<void> =>
      reopen(table, idempotencyKey(request), request.requestId),

    /** Frees the key of a request that had no effects, so that it can be corrected or repeated. */
    release: async (request: KeyedRequest): Promise<void> => {
      const { requestId } = request;
      await deleteIf(table, { Key: idempotencyKey(request), ...still({ requestId }) });
    },
  };
}

/**
 * Lets the next equal request continue a request, as one that died. If it has a response, that is forgotten: the next one
 * finds what was done, and does nothing again. A newer request that has the key is left alone.
 */
export async function reopen(table: Table, { pk, sk }: RowKey, requestId: unknown): Promise<void> {
  const change = { set: { savedResponse: null, runningUntil: 0 } };
  await updateIf(table, { Key: { pk, sk }, ...updateIfStill({ requestId }, change) });
}

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

function operationOf(row: z.infer<typeof Row>): KeyedOperation {
  const { requestId, keptUntil, operationToken = requestId, operationBeganAt = keptUntil - keptMs } = row;
  return { token: operationToken, beganAt: operationBeganAt };
}

/** Decides what a row under the same key means for this request. */
async function describeBeginning(
  table: Table,
  row: z.infer<typeof Row>,
  request: KeyedRequest,
): Promise<Beginning> {
  const { fingerprint, requestId } = request;
  // The SDK repeats a write whose response was lost, so the row may be this request's own.
  if (row.requestId === requestId) return operationOf(row);
  if (row.fingerprint !== fingerprint) return otherRequest;
  if (!row.savedResponse) return stillRunning;
  const { gzippedBody: inRow, ...response } = row.savedResponse;
  const ownKey = keptResponseKey(idempotencyKey(request), row.requestId);
  const [own] = inRow ? [] : await readUnchanging(table, [ownKey]);
  const gzippedBody = inRow ?? (own && GzippedBody.parse(own).gzippedBody);
  // It was deleted with an erased recipient, just before the key's row named it: the next request continues this one.
  if (!gzippedBody) {
    await reopen(table, idempotencyKey(request), row.requestId);
    return stillRunning;
  }
  return { ...response, body: (await gunzip(gzippedBody)).toString() };
}
