import { ApiError, errorOf } from './api-error.ts';
import type { Answer, Input, Route } from './operations.ts';

export interface Credentials {
  readonly login: string;
  readonly secret: string;
}

interface Options {
  readonly credentials: Credentials;
  readonly offerId?: string | undefined;
  /** Gets the headers of every answer. */
  readonly onHeaders?: (headers: Headers) => void;
}

type Given = { path?: object; query?: object; body?: unknown };

/** Calls one operation of the API; throws an ApiError. */
export type Call = <R extends Route>(
  route: R,
  input: Input<R>,
  also?: { signal?: AbortSignal; headers?: Record<string, string> },
) => Promise<Answer<R>>;

export function callAs({ credentials, offerId, onHeaders }: Options): Call {
  const authorization = basic(credentials);
  return async (route, input, also = {}) => {
    const [method = 'GET', path = ''] = route.split(' ');
    const { body, ...target } = input as Given;
    const response = await fetch(urlOf(path, target), {
      method,
      // The browser must neither prompt for a key nor remember it.
      credentials: 'omit',
      cache: 'no-store',
      headers: {
        authorization,
        ...(offerId === undefined ? {} : { offerId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...also.headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(also.signal ? { signal: also.signal } : {}),
    }).catch((error: unknown) => {
      if (also.signal?.aborted) throw error;
      throw new ApiError(0, 'UNREACHABLE', [
        'The service cannot be reached: check the connection and repeat.',
      ]);
    });
    onHeaders?.(response.headers);
    if (!response.ok) throw await errorOf(response);
    return response.json();
  };
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
