import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Budget, Payer } from '../limits/request-budget.ts';
import type { MetricValues } from '../logging/log.ts';
import type { Issue } from '../validation/format-issues.ts';
import { type Failure, type FailureCode, failureStatus } from './failures.ts';
import type { BodyLimit, SentBody } from './request-body.ts';

export type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** The contract of one operation, from which requests are validated and the OpenAPI document is generated. */
export type Operation<Who extends object = object> = {
  /** The function's name and the OpenAPI operationId. */
  id: string;
  /**
   * What the interface that partners' clients were written for calls the operation, if it has it. There a query may have
   * unknown parameters, which such a client may add.
   */
  contractId?: `${'A' | 'B' | 'C' | 'D'}${number}`;
  /** The route in API Gateway's notation: `GET /places/sync/{sessionId}`. */
  route: Route;
  /** Other paths of the same operation. */
  aliases?: readonly Route[];
  caller: Caller<Who>;
  /** The budget of the partner from which its requests are taken; `others` when left out. */
  budget?: Budget;
  /** How many requests one counts as, if not one: for its units, 120 for each in the worst case, or to keep it seldom. */
  requests?: number;
  path?: z.ZodMiniObject;
  /** Reads the parameters of the path, where those of the gateway may not be what was meant. */
  readPath?(event: GatewayEvent): Record<string, string> | Failure;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  /** The largest body, in bytes as received and after gunzip; `smallBody` when left out. */
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
  /**
   * Members of the body that have no effect here, though a caller may expect one: each with the sentence that says what
   * to do. They are refused however they are spelt; null counts as absent.
   */
  withoutEffect?: Readonly<Record<string, string>>;
  /** A sentence for each error of a valid body as it will be passed on, which the schema does not see. */
  checkPassedOn?(body: unknown): string[];
  /**
   * Issues that the operation itself finds in a valid body, because they depend on the time. A body that is refused
   * anyway is refused for them too.
   */
  timeIssues?(body: unknown, nowMs: number): Issue[];
  response: z.ZodMiniType;
  /** If the client prefers it to JSON, a success is CSV (RFC 4180) instead. */
  csv?: true;
  /** Damaged text does not refuse the body: the operation rejects the element that holds it. */
  rejectsElements?: true;
  /** Whether the request only asks what would happen: nothing is kept under its Idempotency-Key. */
  isDryRun?(input: { query?: unknown; body?: unknown }): boolean;
  /** Members of the response that are shown once: a replayed response has null there. */
  secretMembers?: readonly string[];
  /** The failures of this operation only, if it has some; those that all operations share are not listed. */
  failures?: readonly FailureCode[];
  /** The failure for an unexpected exception, where the contract does not say INTERNAL_ERROR. */
  unexpectedFailure?: FailureCode;
  /** The status of `REQUEST_LIMIT_EXCEEDED`, where the contract has no 429. */
  overBudgetStatus?: 503;
  /**
   * Failures whose response has an empty body by the contract, shared ones included: the header x-error has the
   * reason.
   */
  emptyBodyFor?: readonly FailureCode[];
};

/** True for authenticated POSTs, and for any other authenticated operation with a body. */
export function acceptsIdempotencyKey({ body, route, caller }: Operation): boolean {
  return caller.authorization !== 'none' && (body !== undefined || route.startsWith('POST '));
}

/** The status of a failure of the operation. */
export function failureStatusOf(
  { overBudgetStatus }: Pick<Operation, 'overBudgetStatus'>,
  failure: FailureCode,
): (typeof failureStatus)[FailureCode] {
  return (failure === 'REQUEST_LIMIT_EXCEEDED' && overBudgetStatus) || failureStatus[failure];
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

export type WhoOf<Op extends Operation> = Op['caller'] extends Caller<infer Who> ? Who : never;

/** The argument of an operation's handler: the parsed request, and the caller. */
export type Call<Op extends Operation> = WhoOf<Op> & {
  path: Parsed<Op['path']>;
  query: Parsed<Op['query']>;
  body: Parsed<Op['body']>;
  /** Whether the client prefers CSV to JSON. */
  wantsCsv: boolean;
  /** The body before it was parsed. */
  sentBody: SentBody;
  requestId: string;
  /** The origin of the URL that was called. */
  origin: string;
  /**
   * Set with an Idempotency-Key. A request and its repetitions after it died have the same token, so that an effect
   * stored under the token happens once.
   */
  operationToken: string | undefined;
  /** When the first of these requests began, ms. */
  operationBeganAt: number | undefined;
  /** The same token, if an equal request died before its response. It may already have had all effects. */
  repeatOf: string | undefined;
  /**
   * Takes the request from another budget too, or further ones if there are any, when its work turns out to be dear;
   * returns the failure if it is used up.
   */
  takeFrom: (budget: Budget, requests?: number) => Promise<Failure<'REQUEST_LIMIT_EXCEEDED'> | undefined>;
  /** Adds fields to the request's log line. */
  addFields: (fields: Record<string, unknown>) => void;
  /** Adds metrics to the request's log line. */
  addMetrics: (values: MetricValues) => void;
};

/**
 * A success: the body of the response, and headers where the operation has some. Members in `texts` replace those of the
 * body: stored JSON that passed the schema when it was written, so that a large one is not parsed for each response.
 */
export type Ok<Body> = { ok: Body; headers?: Record<string, string>; texts?: Record<string, string> };

/** A success as CSV: its lines, ended by CR LF. */
export type Csv = { csv: string; headers?: Record<string, string> };

export type GatewayEvent = APIGatewayProxyEventV2 & { requestContext: { authorizer?: { lambda?: unknown } } };

/** A kind of caller: how it is authenticated, and how its requests identify it. Each area defines its own. */
export type Caller<Who extends object> = {
  /** `basic`: by the authorizer. `iam`: by API Gateway, with a signature. `none`: by the operation itself. */
  authorization: 'basic' | 'iam' | 'none';
  /** The header that says what the request is about, as the documents spell it. */
  header?: string;
  /** The roles whose keys may call an operation of this method, for the document. */
  rolesFor?(method: string): readonly string[];
  /** The failures of `identify`. */
  failures: readonly FailureCode[];
  identify(event: GatewayEvent): Identified<Who> | Failure;
};

export type Identified<Who> = {
  /** Owns the Idempotency-Keys of its requests: a partnerId, or `wallet`. */
  callerId: string;
  /** Absent for callers whose requests have no budget. */
  payer?: Payer;
  /** The value of the header. The same body with another scope is a different request. */
  scope?: string;
  /** Fields for the log line, in addition to the callerId. */
  fields?: Record<string, string>;
  /** Passed to the operation's handler. */
  who: Who;
};

/** A caller without credentials, whose request the operation verifies. It has no Idempotency-Keys. */
export const unauthenticated: Caller<{ event: GatewayEvent }> = {
  authorization: 'none',
  failures: [],
  identify: (event) => ({ callerId: 'unauthenticated', who: { event } }),
};

/** The origin of the URL that was called: `https://api.example`. */
export function originOf({ headers }: GatewayEvent): string {
  return `${headers['x-forwarded-proto']}://${headers['host']}`;
}
