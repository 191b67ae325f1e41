import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Failure, FailureCode } from './failures.ts';

export type Event = APIGatewayProxyEventV2 & { requestContext: { authorizer?: { lambda?: unknown } } };

/** Who may call an operation, and how its endpoint recognizes them. The area that knows the callers writes it. */
export type Caller<Who extends object> = {
  /**
   * `basic`: the authorizer checks login and secret. `iam`: API Gateway checks the signature of the request. `none`: the
   * operation itself checks the request.
   */
  authorization: 'basic' | 'iam' | 'none';
  /** The header that says what the request is about, as the documents spell it. */
  header?: string;
  /** The roles whose keys may call an operation of this method, for the document. */
  rolesFor?(method: string): readonly string[];
  /** The failures of `identify`. */
  failures: readonly FailureCode[];
  identify(event: Event): Identified<Who> | Failure;
};

type Identified<Who> = {
  /** Owns the Idempotency-Keys of its requests. */
  callerId: string;
  /** What the header says. With another scope, the same body is another request. */
  scope?: string;
  /** What the log line says beside the callerId. */
  fields?: Record<string, string>;
  /** Given to the endpoint. */
  who: Who;
};

/** Whoever sends a request that proves itself. Such requests have no Idempotency-Key: nobody owns it. */
export const anybody: Caller<{ event: Event }> = {
  authorization: 'none',
  failures: [],
  identify: (event) => ({ callerId: 'anybody', who: { event } }),
};

/** The address of the stage as it was called: `https://api.example`. */
export function originOf({ headers }: Event): string {
  return `${headers['x-forwarded-proto']}://${headers['host']}`;
}
