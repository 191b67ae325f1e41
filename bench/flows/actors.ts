import type { Endpoints } from '../../local/service.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

/** Who takes part in a flow: the service, its callers, and where the simulated partner reports what it received. */
export function actorsOf(service: Endpoints) {
  const { baseUrl, login, secret, offerId, partner } = service;
  if (!partner) throw new Error('the service has no simulated partner');
  return {
    service,
    partner: { baseUrl, login, secret, offerId },
    wallet: { baseUrl },
    receiver: { baseUrl: partner.url },
  };
}

export type Actors = ReturnType<typeof actorsOf>;

/** A request that must be answered 200: anything else is not what is to be measured. */
export async function must(caller: Caller, route: string, body?: unknown): Promise<Reply> {
  const reply = await request(caller, route, body);
  if (reply.status === 200) return reply;
  throw new Error(`${route} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** As in stages whose partners are real: with a simulated wallet, callbacks that were delivered at once are logged. */
export async function logFailuresOnly({ partner }: Actors): Promise<void> {
  await must(partner, 'PUT /callbacks/endpoint', { log: 'failures' });
}

/** Polls until so many are there. A message whose worker ended comes back after six minutes. */
export async function reach(what: string, ask: () => Promise<number>, goal: number): Promise<void> {
  const last = await eventually(ask, (value) => value >= goal, { timeoutSeconds: 420, intervalMs: 100 });
  if (last < goal) throw new Error(`${last} of ${goal} were ${what}`);
}
