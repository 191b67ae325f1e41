import { type CommandError, failure } from '../../build/command-line.ts';
import { configOf } from '../../infra/config.ts';
import type { Endpoint } from '../../shared/callbacks/endpoint.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint-health.ts';
import type { Account } from '../../shared/partners/account.ts';
import type { Session } from './session.ts';

export async function findPartner({ partners }: Session, partnerId: string): Promise<Account> {
  const account = await partners.find(partnerId);
  if (!account) throw failure(`There is no partner "${partnerId}": the command list shows all.`);
  return account;
}

/** The endpoint of an existing partner, as it is set now. */
export async function findEndpoint(session: Session, partnerId: string): Promise<Endpoint> {
  await findPartner(session, partnerId);
  const { endpoint } = await session.endpoints.view(partnerId, { consistent: true });
  if (!endpoint) throw failure(`${partnerId} has no callback endpoint: the command callback set makes one.`);
  return endpoint;
}

/** When a condition did not hold because another operator, or a worker, was faster. */
export function changedMeanwhile(partnerId: string): CommandError {
  return failure(
    `${partnerId} was changed by somebody else at the same moment, nothing was done: run it again.`,
  );
}

const cacheMinutes = configOf('prod').authorizerCacheSeconds / 60;

/** Of changes of what the authorizer answers. */
export const effectiveAtGateway = `It takes effect within ${cacheMinutes} minutes: so long the gateway caches the authorizer's answer.`;

/** Of changes of an endpoint. */
export const effectiveAtWorkers = `It takes effect within ${viewKeptMs / 1_000} seconds, in all workers.`;
