import { ApiError, errorOf } from './api-error.ts';
import type { Input, ResponseTo, Route } from './operations.ts';

export type Credentials = { login: string; secret: string };

type OnHeaders = (headers: Headers) => void;
type Options = { credentials: Credentials; offerId?: string | undefined; onHeaders?: OnHeaders };
type Given = { path?: object; query?: object; body?: unknown };

export type Call = <R extends Route>(
  route: R,
  input: Input<R>,
  also?: { signal?: AbortSignal; headers?: Record<string, string>; onHeaders?: OnHeaders },
) => Promise<ResponseTo<R>>;

export function callAs({ credentials, offerId, onHeaders }: Options): Call {
  const authorization = basic(credentials);
  return async (route, input, also = {}) => {
    const [method = 'GET', path = ''] = route.split(' ');
    const { body, ...target } = input as Given;
    const sent = await encode(body);
    const isWrite = method !== 'GET' && !isDryRun(target.query) && !isDryRun(body);
    const signal = AbortSignal.any([AbortSignal.timeout(longestMs), ...(also.signal ? [also.signal] : [])]);
    const fail = (error: unknown): never => {
      if (also.signal?.aborted) throw error;
      const what = signal.aborted ? 'did not respond within 60 seconds' : 'cannot be reached';
      const sentence = `The service ${what}. Check the connection and try again.`;
      throw Object.assign(new ApiError(0, 'UNREACHABLE', [sentence]), { isWrite });
    };
    const response = await fetch(urlOf(path, target), {
      method,
      // Without this the browser would prompt for a key and remember it.
      credentials: 'omit',
      cache: 'no-store',
      body: sent.body,
      headers: {
        authorization,
        ...(offerId === undefined ? {} : { offerId }),
        ...sent.headers,
        ...also.headers,
      },
      signal,
    }).catch(fail);
    onHeaders?.(response.headers);
    also.onHeaders?.(response.headers);
    if (!response.ok) throw Object.assign(await errorOf(response), { isWrite });
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
    return (isCsv ? response.text() : response.json()).catch(fail);
  };
}

/** The service takes 30 s at most. */
const longestMs = 60_000;

function isDryRun(given: unknown): boolean {
  return (given as { dryRun?: boolean } | undefined)?.dryRun === true;
}

const gzippedFromLength = 100_000;

/** Gzips a long body: 10,000 service points are 4 MB of JSON. */
async function encode(body: unknown): Promise<{ body: BodyInit | null; headers: Record<string, string> }> {
  if (body === undefined) return { body: null, headers: {} };
  const text = JSON.stringify(body);
  if (text.length < gzippedFromLength) return { body: text, headers: { 'content-type': 'application/json' } };
  const gzipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const headers = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' };
  return { body: await new Response(gzipped).blob(), headers };
}

function basic({ login, secret }: Credentials): string {
  return `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${login}:${secret}`)))}`;
}

function urlOf(path: string, { path: parameters = {}, query = {} }: Given): string {
  const values = new Map<string, unknown>(Object.entries(parameters));
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return search.size === 0 ? filled : `${filled}?${search}`;
}
