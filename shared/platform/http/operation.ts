import type * as z from 'zod/mini';
import type { MetricValues } from '../logging/log.ts';
import type { Caller } from './caller.ts';
import type { Failure, FailureCode } from './failures.ts';

export type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/**
 * The contract of one operation, written once: the endpoint validates with it and the published OpenAPI
 * document is generated from it.
 */
export type Operation<Who extends object = object> = {
  /** The function's name and the OpenAPI operationId. */
  id: string;
  /** As API Gateway spells it: `GET /places/sync/{sessionId}`. */
  route: Route;
  /** Other paths of the same operation. */
  aliases?: readonly Route[];
  caller: Caller<Who>;
  path?: z.ZodMiniObject;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  /** The largest body, in bytes as received and after gunzip; left out: that of most operations. */
  bodyLimit?: BodyLimit;
  /**
   * Refuses a body with more elements than the caller may send. It runs before validation, which keeps an issue for
   * each wrong element: those of a body with millions of elements would not fit into memory.
   */
  batchLimit?(body: unknown, who: Who): Failure | undefined;
  /**
   * Members of the body (of each element, if it is an array) that are passed on as given: their numbers keep their
   * source text.
   */
  passedOn?: readonly string[];
  /** A sentence for each error of a valid body as it will be passed on, which the schema does not see. */
  checkPassedOn?(body: unknown): string[];
  response: z.ZodMiniType;
  /** Damaged text does not refuse the body: the operation rejects the element that holds it. */
  rejectsElements?: true;
  /** Whether the request only asks what would happen: nothing is kept under its Idempotency-Key. */
  isDryRun?(input: { query?: unknown; body?: unknown }): boolean;
  /** Members of the response that are shown once: a replayed response has null there. */
  secretMembers?: readonly string[];
  /** The failures of this operation only; those that all operations share are not listed. */
  failures: readonly FailureCode[];
  /** The failure for an unexpected exception, where the contract does not say INTERNAL_ERROR. */
  unexpectedFailure?: FailureCode;
  /**
   * Failures whose response has an empty body by the contract, shared ones included: the header x-error has the
   * reason.
   */
  emptyBodyFor?: readonly FailureCode[];
};

/** `receivedBytes` is absent where a body may have whatever the gateway and the function take. */
export type BodyLimit = { receivedBytes?: number; gunzippedBytes: number };

export const smallBody: BodyLimit = { receivedBytes: 64_000, gunzippedBytes: 256_000 };

/** Every POST of a known caller does, and what else has a body. */
export function acceptsIdempotencyKey({ body, route, caller }: Operation): boolean {
  return caller.authorization !== 'none' && (body !== undefined || route.startsWith('POST '));
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

export type WhoOf<Op extends Operation> = Op['caller'] extends Caller<infer Who> ? Who : never;

/** What an endpoint gets: everything parsed, and what is known of the caller. */
export type Call<Op extends Operation> = WhoOf<Op> & {
  callerId: string;
  path: Parsed<Op['path']>;
  query: Parsed<Op['query']>;
  body: Parsed<Op['body']>;
  /** The body before it was parsed, gunzipped if it was sent gzipped. */
  bodyText: string;
  requestId: string;
  /** The address of the stage as it was called. */
  origin: string;
  /**
   * With an Idempotency-Key: the same for a request and for the repetitions of it after it died. What is done under
   * this token is done once.
   */
  operationToken: string | undefined;
  /**
   * The same token, where an equal request died before it was answered: it may have done all that this one is about to
   * do.
   */
  repeatOf: string | undefined;
  /** Adds fields to the request's log line. */
  addFields: (fields: Record<string, unknown>) => void;
  /** Adds metrics to the request's log line. */
  addMetrics: (values: MetricValues) => void;
};

/** A success: the body of the response, and headers where the operation has some. */
export type Ok<Body> = { ok: Body; headers?: Record<string, string> };

export function ok<Body>(body: Body, headers?: Record<string, string>): Ok<Body> {
  return headers ? { ok: body, headers } : { ok: body };
}

export function operation<Who extends object, const Op extends Operation<Who>>(
  op: Op & { caller: Caller<Who> },
): Op {
  return op;
}
