import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, NoResponse, type Reply, request } from '../../../ops/scenario/client.ts';

/** What a client knows after its request. */
export interface CallOutcome {
  /** The last response; absent when none came. */
  readonly reply?: Reply;
  readonly tries: number;
  /** The response to some try leaves open whether it took effect. */
  readonly uncertain: boolean;
}

/** Requests of a run and how they ended, for the report. */
export interface Tally {
  requests: number;
  readonly responses: Record<string, number>;
}

export function newTally(): Tally {
  return { requests: 0, responses: {} };
}

export interface ApiCaller {
  readonly speaker: Caller;
  readonly tally: Tally;
  /** Retries under one Idempotency-Key until a response is conclusive; otherwise it tries once. */
  readonly persistent: boolean;
}

const timeoutMs = 90_000;
const retryDelayMs = 250;

/** 409 here: the first try of this very request is still running, or another list is being accepted. */
const passing = new Set(['REQUEST_IN_PROGRESS', 'SYNC_BEING_ACCEPTED', 'SYNC_UNAVAILABLE']);

function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : '';
}

/** Whether a response says for certain what was done, or that nothing was. */
function isCertain({ status, body }: Reply): boolean {
  return status === 200 || (status < 500 && codeOf(body) !== 'REQUEST_IN_PROGRESS');
}

function isLast({ status, body }: Reply): boolean {
  return status === 200 || (status < 500 && status !== 429 && !passing.has(codeOf(body)));
}

/** One request as a real client makes it: if it cannot know the outcome, it retries under the same key. */
export async function callApi(
  { speaker, tally, persistent }: ApiCaller,
  route: string,
  body?: unknown,
): Promise<CallOutcome> {
  const key = randomUUID();
  const keyed: Caller = persistent
    ? { ...speaker, sign: async ({ headers }) => ({ ...headers, 'idempotency-key': key }) }
    : speaker;
  const deadline = performance.now() + timeoutMs;
  let uncertain = false;
  for (let tries = 1; ; tries++) {
    const reply = await request(keyed, route, body).catch((error: unknown) => {
      if (error instanceof NoResponse) return undefined;
      throw error;
    });
    tally.requests += 1;
    const response = reply
      ? `${reply.status} ${reply.status === 200 ? '' : codeOf(reply.body)}`.trim()
      : 'none';
    tally.responses[response] = (tally.responses[response] ?? 0) + 1;
    uncertain ||= !reply || !isCertain(reply);
    const over = !persistent || performance.now() > deadline;
    if (reply && (isLast(reply) || over)) return { reply, tries, uncertain };
    if (over) return { tries, uncertain };
    await delay(retryDelayMs);
  }
}
