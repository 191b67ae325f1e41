import { silentLog } from '../../local/log.ts';
import { manyRequests } from '../../local/partners.ts';
import { type LocalServiceOptions, startLocalService } from '../../local/service.ts';
import { callersOf } from '../../ops/scenario/actors.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

export type Actors = Awaited<ReturnType<typeof startActors>>['actors'];

/**
 * Starts a new service, built as it is deployed. Returns it with its callers and where its simulated partner shows what it
 * received.
 */
export async function startActors(cleanup: AsyncDisposableStack, options: LocalServiceOptions) {
  const running = await startLocalService({ log: silentLog, limits: manyRequests, ...options });
  cleanup.defer(running.stop);
  const service = running.endpoints;
  const { receiver, ...callers } = callersOf(service);
  if (!receiver) throw new Error('the service has no simulated partner');
  // Stages with a real wallet log failed callbacks alone. With a simulated one, successes are logged too.
  await must(callers.partner, 'PUT /callbacks/endpoint', { log: 'failures' });
  return { running, actors: { service, receiver, ...callers } };
}

/** Sends a request and throws unless the response is 200, because anything else must not be measured. */
export async function must(caller: Caller, route: string, body?: unknown): Promise<Reply> {
  const reply = await request(caller, route, body);
  if (reply.status === 200) return reply;
  throw new Error(`${route} returned ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** Polls until `goal` is reached. It waits seven minutes, because a message of a lost worker returns after six. */
export async function reach(what: string, ask: () => Promise<number>, goal: number): Promise<void> {
  const until = (count: number) => count >= goal;
  await eventually(`${goal} ${what}`, ask, { until, timeoutSeconds: 420, intervalMs: 100 });
}
