import type { ApiResponse, Send } from '../core/gateway.ts';
import type { RunParts } from '../core/run-parts.ts';

/** One try of a request that its client may repeat. */
export type Try = {
  response: ApiResponse | undefined;
  startedAt: number;
  endedAt: number;
};

/** The result of a request, as its client knows it after the last try. */
export type Outcome = Try & {
  /** Some try may have taken effect without a response that says so. */
  uncertain: boolean;
  tries: readonly Try[];
};

export type Options = {
  authorization?: string;
  offerId?: string;
  /** Retries under one Idempotency-Key until a response is conclusive; otherwise it tries once. */
  persistent: boolean;
  /** Sends each try twice at once, as a proxy may do. */
  twice?: boolean;
  accept?: string;
  /** The Idempotency-Key of an earlier request, to be used again. */
  key?: string;
};

/** A POST with an idempotency key whose response was 200. */
export type Keyed = {
  route: string;
  options: Options;
  body: unknown;
  key: string;
  response: ApiResponse;
  startedAt: number;
};

/** A client retries for longer than the longest outage. */
const tries = 300;

/** Codes after which a client tries again: its first try is still running, or the service cannot do it right now. */
const passing = new Set(['REQUEST_IN_PROGRESS', 'SYNC_UNAVAILABLE', 'PLACE_FULL']);

/** Returns the header Authorization of a login and its secret. */
export function basic(login: string, secret: string): string {
  return `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;
}

export function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : '';
}

/** True if the service or the gateway failed. A refusal because of a rate or a full place is no failure. */
function hasFailed(response: ApiResponse | undefined): boolean {
  const isRefusal = isRateRefusal(response) || codeOf(response?.body) === 'PLACE_FULL';
  return !response || (response.status >= 500 && !isRefusal);
}

/** The request does not fit into what is left of the minute, or into none. */
const overRate = new Set(['RATE_LIMIT_EXCEEDED', 'BATCH_SIZE_EXCEEDED']);

/** True if the partner's rate limit or a budget of requests refused the request, so that nothing was done. */
export function isRateRefusal(response: ApiResponse | undefined): boolean {
  const isOverRate = response?.status === 429 || overRate.has(codeOf(response?.body));
  return isOverRate || isBudgetRefusal(response);
}

/** True if a budget of the partner's requests refused the request. Its code is in a header where the body is empty. */
export function isBudgetRefusal(response: ApiResponse | undefined): boolean {
  return response?.error?.startsWith('REQUEST_LIMIT_EXCEEDED') ?? false;
}

function isCertain(response: ApiResponse): boolean {
  if (isRateRefusal(response)) return true;
  return response.status < 500 && codeOf(response.body) !== 'REQUEST_IN_PROGRESS';
}

function isLast({ status, body }: ApiResponse): boolean {
  return status < 500 && status !== 429 && !passing.has(codeOf(body));
}

/** Makes requests as real clients do: a client that cannot know the outcome retries under the same key. */
export function createClient({ time, rng, send }: RunParts & { send: Send }) {
  const unanswered: string[] = [];
  const keyed: Keyed[] = [];
  const done: { route: string; body: unknown }[] = [];
  const failed: string[] = [];
  const overBudget: string[] = [];

  /** A function as body makes one for each try, like a careless client that counts a time from now. */
  const request = async (route: string, options: Options, bodyOfTry?: unknown): Promise<Outcome> => {
    const { authorization, offerId, accept, persistent, twice } = options;
    const isKeyed = persistent && route.startsWith('POST ');
    const key = isKeyed ? (options.key ?? rng.bytes(12).toString('hex')) : undefined;
    const headers = {
      ...(authorization ? { authorization } : {}),
      ...(offerId ? { offerid: offerId } : {}),
      ...(accept ? { accept } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const made: Try[] = [];
    const startedAt = time.now();
    for (let n = 1; ; n++) {
      const triedAt = time.now();
      const body = typeof bodyOfTry === 'function' ? bodyOfTry() : bodyOfTry;
      const sent = Array.from({ length: twice ? 2 : 1 }, () => send({ route, headers, body }));
      const responses = await Promise.all(sent);
      const endedAt = time.now();
      for (const one of responses) if (hasFailed(one)) failed.push(`${route}: ${JSON.stringify(one)}`);
      for (const one of responses)
        if (one?.status === 200 && !one.isReplay) done.push({ route, body: one.body });
      if (responses.some(isBudgetRefusal)) overBudget.push(`${authorization}: ${route}`);
      made.push(...responses.map((response) => ({ response, startedAt: triedAt, endedAt })));
      const final = responses.find((one) => one && isLast(one));
      const response = final ?? responses[0];
      if (persistent && n === tries && !final) unanswered.push(`${route}: ${JSON.stringify(response)}`);
      if (!persistent || n === tries || final) {
        if (key && !options.key && final?.status === 200)
          keyed.push({ route, options, body, key, response: final, startedAt });
        const uncertain = made.some((one) => !one.response || !isCertain(one.response));
        return { response, uncertain, tries: made, startedAt, endedAt };
      }
      await time.sleep(rng.between(500, 20_000));
    }
  };

  return {
    request,
    /** Requests that got no conclusive response, however often they were retried. */
    unanswered: unanswered as readonly string[],
    keyed: keyed as readonly Keyed[],
    /** Responses with 200, each once however often its request was repeated. */
    done: done as readonly { route: string; body: unknown }[],
    failed: failed as readonly string[],
    /** Requests that a budget refused, with the credentials of their sender. */
    overBudget: overBudget as readonly string[],
  };
}
