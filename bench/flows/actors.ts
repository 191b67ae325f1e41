import type { Endpoints } from '../../local/endpoints.ts';
import { callersOf } from '../../ops/scenario/actors.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

/** The service, its callers, and where the simulated partner shows what it received. */
export function flowActors(service: Endpoints) {
  const { receiver, ...callers } = callersOf(service);
  if (!receiver) throw new Error('the service has no simulated partner');
  return { service, receiver, ...callers };
}

export type Actors = ReturnType<typeof flowActors>;

/** Sends a request and throws unless the response is 200, because anything else must not be measured. */
export async function must(caller: Caller, route: string, body?: unknown): Promise<Reply> {
  const reply = await request(caller, route, body);
  if (reply.status === 200) return reply;
  throw new Error(`${route} returned ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** Logs only failed callbacks, as stages with a real wallet do. With a simulated one, successes are logged too. */
export async function logFailuresOnly({ partner }: Actors): Promise<void> {
  await must(partner, 'PUT /callbacks/endpoint', { log: 'failures' });
}

/** Polls until `goal` is reached. It waits seven minutes, because a message of a lost worker returns after six. */
export async function reach(what: string, ask: () => Promise<number>, goal: number): Promise<void> {
  const until = (count: number) => count >= goal;
  await eventually(`${goal} ${what}`, ask, { until, timeoutSeconds: 420, intervalMs: 100 });
}
