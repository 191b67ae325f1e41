import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Payer } from '../limits/request-budget-store.ts';
import type { Failure, FailureCode } from './failures.ts';

export type Event = APIGatewayProxyEventV2 & { requestContext: { authorizer?: { lambda?: unknown } } };

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
  identify(event: Event): Identified<Who> | Failure;
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
export const unauthenticated: Caller<{ event: Event }> = {
  authorization: 'none',
  failures: [],
  identify: (event) => ({ callerId: 'unauthenticated', who: { event } }),
};

/** The origin of the URL that was called: `https://api.example`. */
export function originOf({ headers }: Event): string {
  return `${headers['x-forwarded-proto']}://${headers['host']}`;
}
