import { gzipSync } from 'node:zlib';

/** Proves who sends a request, where credentials are not enough: the headers to add to it. */
export type Sign = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}) => Promise<Record<string, string>>;

type Sending = {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
};
export type Fetch = (url: URL, sending: Sending) => Promise<Response>;

/** Who calls the service: a partner with its credentials and offer, or the wallet platform without. */
export type Caller = {
  baseUrl: string;
  login?: string;
  secret?: string;
  offerId?: string;
  sign?: Sign;
  /** Sends the request; the built-in `fetch` otherwise. */
  fetch?: Fetch;
  /** How long to wait for a response; the gateway itself waits 30 s at most. */
  timeoutMs?: number;
  /** Is called with every reply. */
  onReply?: (route: string, reply: Reply) => void;
};

export type Reply = { status: number; headers: Headers; body: unknown };

/** No response came: the service is not there, or took too long. Its message is a sentence. */
export class NoResponse extends Error {
  override name = 'NoResponse';
}

/** A request of a partner with a gzipped body, which declares itself as `contentType`. */
export async function requestGzipped(
  caller: Caller,
  route: string,
  { body, contentType }: { body: unknown; contentType: string },
): Promise<Reply> {
  const [method = 'POST', path = '/'] = route.split(' ');
  const headers = { ...headersOf(caller), 'content-type': contentType, 'content-encoding': 'gzip' };
  const gzipped = new Uint8Array(gzipSync(JSON.stringify(body)));
  const reply = await exchange(caller, new URL(`${caller.baseUrl}${path}`), {
    method,
    headers,
    body: gzipped,
  });
  caller.onReply?.(route, reply);
  return reply;
}

/** One request to the service. A body that is not JSON (an empty one) comes back as text. */
export async function request(caller: Caller, route: string, body?: unknown): Promise<Reply> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const url = new URL(`${caller.baseUrl}${path}`);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...headersOf(caller),
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const signed = caller.sign ? await caller.sign({ method, url, headers, body: text }) : headers;
  const reply = await exchange(caller, url, {
    method,
    headers: signed,
    ...(text === undefined ? {} : { body: text }),
  });
  caller.onReply?.(route, reply);
  return reply;
}

function headersOf({ login, secret, offerId }: Caller): Record<string, string> {
  return {
    ...(login ? { authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}` } : {}),
    ...(offerId ? { offerId } : {}),
  };
}

// This service never redirects: a redirect is returned as it came.
const builtInFetch: Fetch = (url, sending) => fetch(url, { ...sending, redirect: 'manual' });

async function exchange(
  { fetch: send = builtInFetch, timeoutMs = 35_000 }: Caller,
  url: URL,
  sending: Omit<Sending, 'signal'>,
): Promise<Reply> {
  try {
    const response = await send(url, { ...sending, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  } catch (error) {
    throw new NoResponse(`${sending.method} ${url} had no answer: ${reasonOf(error as Failure, timeoutMs)}.`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Failure = Error & { code?: unknown; cause?: Error & { code?: unknown } };

function reasonOf(error: Failure, timeoutMs: number): string {
  const { name, message, code, cause } = error;
  if (name === 'TimeoutError' || cause?.name === 'TimeoutError') return `${timeoutMs / 1_000} s have passed`;
  return String(cause?.code ?? cause?.message ?? code ?? message);
}
