import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { deleteIf, putIf, still, updateIf, updateIfStill } from '../table/condition.ts';
import { readUnchanging } from '../table/read-all.ts';
import { idempotencyKey, keptResponseKey } from '../table/row-keys/requests.ts';
import type { RowKey } from '../table/row-keys/row-key.ts';
import { putRow } from '../table/rows.ts';
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
  /** The id of the first of several equal requests that died. */
  operationToken: z.optional(z.string()),
});

/**
 * Stores each request with a key for 24 h. The key's row is written with a condition, so of any number of equal
 * requests at once one runs. When a request died without a response, an equal one continues it after `runningUntil`,
 * when its function cannot be running any more. A large response has a row of its own, so that the key's row stays small.
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
        return beginningOf(table, before, { ...request, requestId });
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
      return beginningOf(table, Row.parse(continued.row), { ...request, requestId });
    },

    /** Stores the response for later equal requests. If a newer request has the key, they get nothing of it. */
    keep: async (
      request: KeyedRequest,
      { requestId, nowMs }: { requestId: string; nowMs: number },
      response: SavedResponse,
    ): Promise<void> => {
      const { body, ...rest } = response;
      const key = keyOf(request);
      // The response of a large bulk send is a megabyte of text, and a row takes 400 kB.
      const gzippedBody = await gzip(body);
      const isSmall = key.pk.length + JSON.stringify(rest.headers).length + gzippedBody.length <= roomInRow;
      // The body comes first: a key whose row says that the response is kept has all of it.
      if (!isSmall) {
        const expiresAt = epochSeconds(nowMs + keptMs);
        await putRow(table, { ...keptResponseKey(key, requestId), requestId, gzippedBody, expiresAt });
      }
      const kept = isSmall ? { ...rest, gzippedBody } : rest;
      await updateIf(table, { Key: key, ...updateIfStill({ requestId }, { set: { savedResponse: kept } }) });
    },

    /** Lets the next equal request continue where this one failed: this one may have had effects. */
    abandon: async (request: KeyedRequest, requestId: string): Promise<void> => {
      await updateIf(table, {
        Key: keyOf(request),
        ...updateIfStill({ requestId }, { set: { runningUntil: 0 } }),
      });
    },

    /** Frees the key of a request that had no effects, so that it can be corrected or repeated. */
    release: async (request: KeyedRequest, requestId: string): Promise<void> => {
      await deleteIf(table, { Key: keyOf(request), ...still({ requestId }) });
    },
  };
}

function keyOf({ callerId, operation, key }: KeyedRequest): RowKey {
  return idempotencyKey(callerId, operation, key);
}

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

/** Decides what a row under the same key means for this request. */
async function beginningOf(
  table: Table,
  row: z.infer<typeof Row>,
  request: KeyedRequest & { requestId: string },
): Promise<Beginning> {
  const { fingerprint, requestId } = request;
  // The SDK repeats a write whose response was lost, so the row may be this request's own.
  if (row.requestId === requestId) return { state: 'first', operationToken: row.operationToken ?? requestId };
  if (row.fingerprint !== fingerprint) return { state: 'other request' };
  if (!row.savedResponse) return { state: 'running' };
  const { gzippedBody = await separateBody(table, request, row.requestId), ...response } = row.savedResponse;
  // Both rows are deleted when a recipient is erased, the key's first: the next request finds the key free.
  if (!gzippedBody) return { state: 'running' };
  return { state: 'answered', response: { ...response, body: (await gunzip(gzippedBody)).toString() } };
}

/** The body of a kept response that has a row of its own. */
async function separateBody(table: Table, request: KeyedRequest, keptBy: string) {
  const [row] = await readUnchanging(table, [keptResponseKey(keyOf(request), keptBy)]);
  return row && GzippedBody.parse(row).gzippedBody;
}
