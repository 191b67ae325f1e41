import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { PartnerContext } from '../../shared/partners/callers.ts';
import type { SavedResponse } from '../../shared/platform/http/idempotency.ts';
import type { GatewayEvent } from '../../shared/platform/http/operation.ts';
import type { Timed } from '../../shared/platform/runtime/time-left.ts';

export type Request = {
  headers?: Record<string, string>;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** A string is sent unchanged, bytes as base64, and anything else as JSON. */
  body?: unknown;
  /** The context from the authorizer; missing for the wallet's routes. */
  partner?: Partial<PartnerContext> & Pick<PartnerContext, 'partnerId' | 'offerIds'>;
  /** The default is `POST`. */
  method?: string;
  rawPath?: string;
  requestId?: string;
};

export type HttpResponse = { status: number; headers: Record<string, string>; body: unknown };

/** A refusal as the API words it, to be matched: its status, its code and, if they are given, all of its sentences. */
export function refusal(status: number, code: string, ...errors: string[]) {
  return { status, body: { status: code, ...(errors.length > 0 ? { errors } : {}) } };
}

/** The refusal of a request that is wrong in itself. */
export function invalid(...errors: string[]) {
  return refusal(400, 'REQUEST_INVALID', ...errors);
}

/** The headers that every response of the API has. */
export const neverKept = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const bars = { partnerId: 'bars', offerIds: ['bars-of-moscow', 'bars-of-tver'] };
export const bakery = { partnerId: 'bakery', offerIds: ['bakery-club'] };
export const forBars = { partner: bars, headers: { offerid: 'bars-of-moscow' } };

const longest: Timed = { getRemainingTimeInMillis: () => 29_000 };

type Handler = (event: GatewayEvent, context: Context) => Promise<SavedResponse>;

/** Calls an operation's real handler with an event in payload format 2.0, as the gateway would. */
export async function call(handler: unknown, request: Request = {}): Promise<HttpResponse> {
  const response = await respond(handler, request);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? '' : JSON.parse(response.body),
  };
}

/** Does the same as `call`, but returns the body as text. */
export function respond(
  handler: unknown,
  request: Request = {},
  time: Timed = longest,
): Promise<SavedResponse> {
  return (handler as Handler)(eventOf(request), { awsRequestId: randomUUID(), ...time } as Context);
}

/** The members of an event that functions read. */
function eventOf({ body: given, partner, ...request }: Request): GatewayEvent {
  const isBytes = Buffer.isBuffer(given);
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const body = isBytes ? given.toString('base64') : text;
  const http = { method: request.method ?? 'POST' };
  return {
    rawPath: request.rawPath ?? '/',
    headers: request.headers ?? {},
    pathParameters: request.path,
    queryStringParameters: request.query,
    body,
    isBase64Encoded: isBytes,
    requestContext: {
      http,
      requestId: request.requestId ?? randomUUID(),
      ...(partner && { authorizer: { lambda: { ...firstKey(partner), ...partner } } }),
    },
  } as unknown as GatewayEvent;
}

/** A partner's first key may do everything. */
function firstKey({ partnerId }: { partnerId: string }) {
  return { login: partnerId, secretCreatedAt: 0, role: 'full' };
}
