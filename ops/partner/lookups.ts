import { type CommandError, failure } from '../../build/command-line.ts';
import { configOf } from '../../infra/config.ts';
import type { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint/health.ts';
import type { Account } from '../../shared/partners/account.ts';
import { formatTime } from '../cli/iso-time.ts';
import type { Session } from './session.ts';

export async function findPartner({ partners }: Session, partnerId: string): Promise<Account> {
  const account = await partners.find(partnerId);
  if (!account) throw failure(`There is no partner "${partnerId}": the command list shows all.`);
  return account;
}

/** The partner's key with this login; without one, its only key. */
export async function findKey(session: Session, partnerId: string, login?: string): Promise<Account> {
  const account = await findPartner(session, partnerId);
  if (login !== undefined) {
    const key = await session.keys.find(partnerId, login);
    if (key) return key;
    throw failure(`${partnerId} has no key "${login}": keys list shows all.`);
  }
  const keys = await session.keys.list(partnerId);
  if (keys.length < 2) return account;
  const all = keys.map(({ login, role }) => `${login} (${role})`).join(', ');
  throw failure(`${partnerId} has ${keys.length} keys, add the login of one of them: ${all}.`);
}

/** The endpoint of an existing partner, as it is set now. */
export async function findEndpoint(session: Session, partnerId: string): Promise<Endpoint> {
  await findPartner(session, partnerId);
  const { endpoint } = await session.endpoints.view(partnerId, { consistent: true });
  if (!endpoint) throw failure(`${partnerId} has no callback endpoint: the command callback set makes one.`);
  return endpoint;
}

/** When these secrets were created, the oldest first. */
export function creationTimes(secrets: readonly { createdAt: number }[]): string[] {
  return secrets.map((secret) => formatTime(secret.createdAt)).sort();
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
