import type * as z from 'zod/mini';
import type { Measures } from '../runtime/log.ts';
import type { PartnerLimits } from './caller.ts';
import type { Failure, FailureCode } from './failures.ts';

export type Route = `${'GET' | 'POST' | 'PUT'} /${string}`;

/**
 * The contract of one operation, written once: the endpoint validates with it and the published OpenAPI
 * document is generated from it.
 */
export type Operation = {
  /** The function's name and the OpenAPI operationId. */
  id: string;
  /** As API Gateway spells it: `GET /places/sync/{sessionId}`. */
  route: Route;
  /** Other paths of the same operation. */
  aliases?: readonly Route[];
  /** Who calls: a partner (HTTP Basic) or the wallet platform (IAM). */
  caller: 'partner' | 'wallet';
  /** Whether the header offerId names the loyalty program the call is about. */
  offerHeader?: boolean;
  path?: z.ZodMiniObject;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  /** The largest body, in bytes as sent and after gzip is undone. */
  bodyLimit?: BodyLimit;
  /**
   * The refusal of a body with more elements than the caller may send. It is asked before the body is validated,
   * since validation keeps an issue for each wrong element: a body of millions of them would not fit into memory.
   */
  batchLimit?: (body: unknown, limits: PartnerLimits) => Failure | undefined;
  response: z.ZodMiniType;
  /** The failures of this operation alone; those every operation shares are not listed. */
  failures: readonly FailureCode[];
  /** What a surprise is answered with, where the contract names something else than INTERNAL_ERROR. */
  unexpectedFailure?: FailureCode;
  /** Failures that the contract answers with an empty body, shared ones too: the header x-error has the reason. */
  emptyBodyFor?: readonly FailureCode[];
};

export type BodyLimit = { receivedBytes: number; gunzippedBytes: number };

export const smallBody: BodyLimit = { receivedBytes: 64_000, gunzippedBytes: 256_000 };

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** What an endpoint is handed: everything parsed, the caller known, the offer theirs. */
export type Call<Op extends Operation> = {
  callerId: string;
  offerId: Op['offerHeader'] extends true ? string : undefined;
  path: Parsed<Op['path']>;
  query: Parsed<Op['query']>;
  body: Parsed<Op['body']>;
  requestId: string;
  /**
   * With an Idempotency-Key: the same for a request and for those that repeat it after its death. What is done under
   * this id is done once.
   */
  operationToken: string | undefined;
  /** Adds fields to the request's log line. */
  addFields: (fields: Record<string, unknown>) => void;
  /** Adds metrics to the request's log line. */
  addMetrics: (measures: Measures) => void;
  /** What was agreed with the partner; absent members are the service's defaults. */
  limits: PartnerLimits;
};

/** Success carries the answer's body, and headers where an operation has some. */
export type Ok<Body> = { ok: Body; headers?: Record<string, string> };

export function ok<Body>(body: Body, headers?: Record<string, string>): Ok<Body> {
  return headers ? { ok: body, headers } : { ok: body };
}

export function operation<const Op extends Operation>(op: Op): Op {
  return op;
}
