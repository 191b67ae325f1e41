import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { conditional } from '../table/condition.ts';
import { idempotencyKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** One request with an Idempotency-Key. `fingerprint` stands for everything in it that matters. */
export type KeyedRequest = { callerId: string; operation: string; key: string; fingerprint: string };

export type SavedResponse = { statusCode: number; headers: Record<string, string>; body: string };

export type Beginning =
  /** `operationToken` is the request's own id, or that of an equal one which died at work: what it did may be there. */
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
type Packed = z.infer<typeof Packed>;

const Row = z.object({
  fingerprint: z.string(),
  requestId: z.string(),
  runningUntil: z.number(),
  keptUntil: z.number(),
  savedResponse: z.optional(Packed),
  /** The first of several equal requests that died. */
  operationToken: z.optional(z.string()),
});

/**
 * Remembers each keyed request for 24 h. The key's row is taken with a condition, so of any number of equal
 * requests at once one runs. A request that dies without an answer frees its key when its time is up
 * (`runningUntil`), since its function cannot be alive any more.
 */
export function idempotencyStore(table: Table) {
  return {
    begin: async (
      request: KeyedRequest,
      requestId: string,
      nowMs: number,
      maxRunMs: number,
    ): Promise<Beginning> => {
      const taken = await conditional(
        table.client.send(
          new PutCommand({
            TableName: table.name,
            Item: {
              ...idempotencyKey(request.callerId, request.operation, request.key),
              fingerprint: request.fingerprint,
              requestId,
              runningUntil: nowMs + maxRunMs,
              keptUntil: nowMs + keptMs,
              expiresAt: epochSeconds(nowMs + keptMs),
            },
            ConditionExpression:
              'attribute_not_exists(pk) OR keptUntil <= :now OR (attribute_not_exists(savedResponse) AND runningUntil <= :now)',
            ExpressionAttributeValues: { ':now': nowMs },
            ReturnValues: 'ALL_OLD',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      if (taken.applied) {
        const operationToken = operationTokenOf(taken.result.Attributes, request, nowMs) ?? requestId;
        if (operationToken !== requestId) await rememberFirst(table, request, { requestId, operationToken });
        return { state: 'first', operationToken };
      }
      const row = Row.parse(taken.existing);
      // The SDK repeats a write whose answer was lost: then the row that stands there is this request's own.
      if (row.requestId === requestId)
        return { state: 'first', operationToken: row.operationToken ?? requestId };
      if (row.fingerprint !== request.fingerprint) return { state: 'other request' };
      return row.savedResponse
        ? { state: 'answered', response: await unpack(row.savedResponse) }
        : { state: 'running' };
    },

    /** Keeps the answer for the equal requests to come. A newer holder of the key is left alone. */
    keep: async (request: KeyedRequest, requestId: string, response: SavedResponse): Promise<void> => {
      await conditional(
        table.client.send(
          new UpdateCommand({
            TableName: table.name,
            Key: idempotencyKey(request.callerId, request.operation, request.key),
            UpdateExpression: 'SET savedResponse = :response',
            ConditionExpression: 'requestId = :requestId',
            ExpressionAttributeValues: { ':response': await pack(response), ':requestId': requestId },
          }),
        ),
      );
    },

    /** Gives the key up to the next equal request, which goes on where this one failed: what it did may be there. */
    abandon: async (request: KeyedRequest, requestId: string): Promise<void> => {
      await conditional(
        table.client.send(
          new UpdateCommand({
            TableName: table.name,
            Key: idempotencyKey(request.callerId, request.operation, request.key),
            UpdateExpression: 'SET runningUntil = :over',
            ConditionExpression: 'requestId = :requestId',
            ExpressionAttributeValues: { ':over': 0, ':requestId': requestId },
          }),
        ),
      );
    },

    /** Frees the key of a request that changed nothing, so that it can be corrected or tried again. */
    release: async (request: KeyedRequest, requestId: string): Promise<void> => {
      await conditional(
        table.client.send(
          new DeleteCommand({
            TableName: table.name,
            Key: idempotencyKey(request.callerId, request.operation, request.key),
            ConditionExpression: 'requestId = :requestId',
            ExpressionAttributeValues: { ':requestId': requestId },
          }),
        ),
      );
    },
  };
}

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

/** Who began what a dead request left behind; nobody when the key was free, or belonged to another request. */
function operationTokenOf(before: unknown, { fingerprint }: KeyedRequest, nowMs: number): string | undefined {
  const row = Row.safeParse(before).data;
  if (!row || row.fingerprint !== fingerprint || row.keptUntil <= nowMs) return undefined;
  return row.operationToken ?? row.requestId;
}

/** For the case that this request dies too. */
async function rememberFirst(
  table: Table,
  request: KeyedRequest,
  { requestId, operationToken }: { requestId: string; operationToken: string },
): Promise<void> {
  await conditional(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: idempotencyKey(request.callerId, request.operation, request.key),
        UpdateExpression: 'SET operationToken = :operationToken',
        ConditionExpression: 'requestId = :requestId',
        ExpressionAttributeValues: { ':operationToken': operationToken, ':requestId': requestId },
      }),
    ),
  );
}

/** The answer of a large bulk send is a megabyte of text, and a row takes 400 kB. */
async function pack({ body, ...response }: SavedResponse) {
  return { ...response, gzippedBody: await gzip(body) };
}

async function unpack({ gzippedBody, ...response }: Packed): Promise<SavedResponse> {
  return {
    ...response,
    body: (await gunzip(gzippedBody)).toString(),
  };
}
