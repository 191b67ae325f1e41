import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { changeIf, deleteIf, putIf, still, updateIf } from '../table/condition.ts';
import { idempotencyKey, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** One request with an Idempotency-Key. `fingerprint` is a digest of what makes requests equal. */
export type KeyedRequest = { callerId: string; operation: string; key: string; fingerprint: string };

export type SavedResponse = { statusCode: number; headers: Record<string, string>; body: string };

export type Beginning =
  /**
   * `operationToken` is the id of this request, or of an equal one that died while it ran and may have had
   * effects.
   */
  | { state: 'first'; operationToken: string }
  | { state: 'running' }
  | { state: 'other request' }
  | { state: 'answered'; response: SavedResponse };

const keptMs = days(1);

const Packed = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  gzippedBody: z.instanceof(Uint8Array),
});

const Row = z.object({
  fingerprint: z.string(),
  requestId: z.string(),
  runningUntil: z.number(),
  keptUntil: z.number(),
  savedResponse: z.optional(Packed),
  /** The id of the first of several equal requests that died. */
  operationToken: z.optional(z.string()),
});

/**
 * Stores each request with a key for 24 h. The key's row is written with a condition, so of any number of equal
 * requests at once one runs. When a request died without a response, an equal one continues it after `runningUntil`,
 * when its function cannot be running any more.
 */
export function idempotencyStore(table: Table) {
  return {
    begin: async (
      request: KeyedRequest,
      requestId: string,
      nowMs: number,
      maxRunMs: number,
    ): Promise<Beginning> => {
      const own = {
        ...keyOf(request),
        fingerprint: request.fingerprint,
        requestId,
        runningUntil: nowMs + maxRunMs,
        keptUntil: nowMs + keptMs,
        expiresAt: epochSeconds(nowMs + keptMs),
      };
      const taken = await putIf(table, {
        Item: own,
        ConditionExpression: 'attribute_not_exists(pk) OR keptUntil <= :now',
        ExpressionAttributeValues: { ':now': nowMs },
      });
      if (taken.applied) return { state: 'first', operationToken: requestId };
      const before = Row.parse(taken.row);
      const hasDied = before.savedResponse === undefined && before.runningUntil <= nowMs;
      if (!hasDied || before.fingerprint !== request.fingerprint)
        return beginningOf(before, request, requestId);
      const operationToken = before.operationToken ?? before.requestId;
      // The token is taken over in the same write, because this request may die at its next step too.
      const continued = await putIf(table, {
        Item: { ...own, operationToken },
        ConditionExpression: 'requestId = :died AND attribute_not_exists(savedResponse)',
        ExpressionAttributeValues: { ':died': before.requestId },
      });
      if (continued.applied) return { state: 'first', operationToken };
      // The request that died was refused after all, which freed the key.
      if (!continued.row) return { state: 'running' };
      return beginningOf(Row.parse(continued.row), request, requestId);
    },

    /** Stores the response for later equal requests. If a newer request has the key, nothing changes. */
    keep: async (request: KeyedRequest, requestId: string, response: SavedResponse): Promise<void> => {
      const { body, ...rest } = response;
      // The response of a large bulk send is a megabyte of text, and a row takes 400 kB.
      const savedResponse = { ...rest, gzippedBody: await gzip(body) };
      await updateIf(table, { Key: keyOf(request), ...changeIf({ requestId }, { savedResponse }) });
    },

    /** Lets the next equal request continue where this one failed: this one may have had effects. */
    abandon: async (request: KeyedRequest, requestId: string): Promise<void> => {
      await updateIf(table, { Key: keyOf(request), ...changeIf({ requestId }, { runningUntil: 0 }) });
    },

    /** Frees the key of a request that had no effects, so that it can be corrected or repeated. */
    release: async (request: KeyedRequest, requestId: string): Promise<void> => {
      await deleteIf(table, { Key: keyOf(request), ...still({ requestId }) });
    },
  };
}

function keyOf({ callerId, operation, key }: KeyedRequest): Key {
  return idempotencyKey(callerId, operation, key);
}

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

/** Decides what a row under the same key means for this request. */
async function beginningOf(
  row: z.infer<typeof Row>,
  { fingerprint }: KeyedRequest,
  requestId: string,
): Promise<Beginning> {
  // The SDK repeats a write whose response was lost, so the row may be this request's own.
  if (row.requestId === requestId) return { state: 'first', operationToken: row.operationToken ?? requestId };
  if (row.fingerprint !== fingerprint) return { state: 'other request' };
  if (!row.savedResponse) return { state: 'running' };
  const { gzippedBody, ...response } = row.savedResponse;
  return { state: 'answered', response: { ...response, body: (await gunzip(gzippedBody)).toString() } };
}
