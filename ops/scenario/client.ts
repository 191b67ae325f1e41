import { jsonOrText } from '../../shared/platform/json/json-or-text.ts';

type Body = string | Uint8Array<ArrayBuffer> | null;

/** Signs a request for callers without credentials. Returns the headers to send it with. */
export type Sign = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: Body;
}) => Promise<Record<string, string>>;

type Sending = { method: string; headers: Record<string, string>; body: Body; signal: AbortSignal };
export type Fetch = (url: URL, sending: Sending) => Promise<Response>;

/** A caller of the service: a partner with credentials and an offer, or the wallet platform without them. */
export type Caller = {
  baseUrl: string;
  login?: string;
  secret?: string;
  offerId?: string;
  sign?: Sign;
  /** Sends the request; the built-in `fetch` otherwise. */
  fetch?: Fetch;
  onReply?: (route: string, reply: Reply) => void;
};

export type Reply = { status: number; headers: Headers; body: unknown };

/** Thrown when the service cannot be reached or takes too long. The message is a sentence. */
export class NoResponse extends Error {
  override name = 'NoResponse';
}

// Do not follow redirects, because the service never redirects.
const builtInFetch: Fetch = (url, sending) => fetch(url, { ...sending, redirect: 'manual' });

/** The timeout for a response. The gateway itself waits 30 s at most. */
const timeoutMs = 35_000;

/** Sends a request. Bytes are sent as gzip. A response body that is not JSON is returned as text. */
export async function request(
  caller: Caller,
  route: string,
  content?: unknown,
  contentType = 'application/json',
): Promise<Reply> {
  const { fetch = builtInFetch } = caller;
  const [method = 'GET', path = '/'] = route.split(' ');
  const url = new URL(`${caller.baseUrl}${path}`);
  const body = bodyOf(content);
  const unsigned = {
    ...headersOf(caller),
    ...(body === null ? {} : { 'content-type': contentType }),
    ...(body instanceof Uint8Array ? { 'content-encoding': 'gzip' } : {}),
  };
  const headers = (await caller.sign?.({ method, url, headers: unsigned, body })) ?? unsigned;
  const receive = async () => {
    const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: response.headers, body: jsonOrText(await response.text()) };
  };
  const reply = await receive().catch((error: Failure) => {
    throw new NoResponse(`${method} ${url} got no response: ${reasonOf(error)}.`);
  });
  caller.onReply?.(route, reply);
  return reply;
}

function bodyOf(content: unknown): Body {
  if (content === undefined) return null;
  return content instanceof Uint8Array ? new Uint8Array(content) : JSON.stringify(content);
}

function headersOf({ login, secret, offerId }: Caller): Record<string, string> {
  return {
    ...(login ? { authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}` } : {}),
    ...(offerId ? { offerId } : {}),
  };
}

type Failure = Error & { code?: unknown; cause?: Error & { code?: unknown } };

function reasonOf(error: Failure): string {
  const { name, message, code, cause } = error;
  if (name === 'TimeoutError' || cause?.name === 'TimeoutError') return `${timeoutMs / 1_000} s have passed`;
  return String(cause?.code ?? cause?.message ?? code ?? message);
}
