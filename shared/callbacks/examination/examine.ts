import type { AttemptResult } from '../../platform/egress/attempt-result.ts';
import type { GuardedClient } from '../../platform/egress/guarded-client.ts';
import type { SignedRequest } from '../../platform/egress/signed-request.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import type { Ids } from '../../platform/runtime/ids.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import type { PostedEndpoint } from '../endpoint/endpoint.ts';
import { callsEndWithinMs } from '../ping.ts';
import { type Check, checksFor } from './checks.ts';
import { type Judged, judge, skipped } from './judge.ts';

/** A receiver without a response for so long has failed, even if the examination gave it less than the endpoint does. */
const longEnoughMs = 20_000;
/** So that a receiver that takes 2 s for each request is examined in time. */
const checksAtOnce = 4;

type Deps = {
  client: GuardedClient;
  clock: Clock;
  sleepUntil: (atMs: number) => Promise<void>;
  ids: Ids;
};

/**
 * Posts to the endpoint what a receiver must take and what it must refuse (rule 56). Nothing else is sent if the valid
 * callback is not taken. Requests keep the distance of `maxPerSecond`, without reserving slots of the pace.
 */
export async function examine(deps: Deps, endpoint: PostedEndpoint): Promise<Judged[]> {
  const [valid, ...others] = checksFor(endpoint, deps.ids, deps.clock.now()) as [Check, ...Check[]];
  const run = checkRunner(deps, endpoint);
  const first = await run(valid);
  if (first.verdict === 'FAILED') return [first, ...others.map((check) => skipped(check, 'not valid'))];
  if (first.verdict === 'SKIPPED') return [first, ...others.map((check) => skipped(check, 'local'))];
  const judged = new Map<Check, Judged>();
  await inParallel(checksAtOnce, others, async (check) => {
    judged.set(check, await run(check));
  });
  return [first, ...others.map((check) => judged.get(check) as Judged)];
}

type NotSent = 'no time' | 'local';

function checkRunner({ client, clock, sleepUntil }: Deps, endpoint: PostedEndpoint) {
  const until = clock.now() + callsEndWithinMs;
  const distanceMs = endpoint.maxPerSecond === undefined ? 0 : 1_000 / endpoint.maxPerSecond;
  let nextAt = clock.now();

  const post = async (make: (nowMs: number) => SignedRequest): Promise<AttemptResult | NotSent> => {
    const now = clock.now();
    if (now >= until) return 'no time';
    const request = make(now);
    const timeoutMs = Math.min(request.timeoutMs, until - now);
    const result = await client.post({ ...request, timeoutMs });
    if (result.ok) return result;
    if (result.error === 'local') return 'local';
    return result.error === 'timeout' && timeoutMs < Math.min(request.timeoutMs, longEnoughMs)
      ? 'no time'
      : result;
  };

  const untilNext = async (): Promise<void> => {
    const at = Math.max(nextAt, clock.now());
    nextAt = at + distanceMs;
    if (at > clock.now()) await sleepUntil(Math.min(at, until));
  };

  return async (check: Check): Promise<Judged> => {
    const rounds = check.check === 'TOGETHER' ? [check.requests] : check.requests.map((request) => [request]);
    const results: (AttemptResult | NotSent)[] = [];
    for (const round of rounds) {
      await untilNext();
      results.push(...(await Promise.all(round.map(post))));
    }
    const made = results.filter((result) => typeof result !== 'string');
    const missing = results.find((result) => typeof result === 'string');
    return missing ? skipped(check, missing) : judge(check, made as [AttemptResult, ...AttemptResult[]]);
  };
}
