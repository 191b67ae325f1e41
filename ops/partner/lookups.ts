import { type CommandError, failure } from '../../build/command-line.ts';
import type { Endpoint } from '../../shared/callbacks/endpoint.ts';
import type { Account } from '../../shared/partners/account.ts';
import type { Session } from './session.ts';

export async function findPartner({ partners }: Session, partnerId: string): Promise<Account> {
  const account = await partners.find(partnerId);
  if (!account) throw failure(`There is no partner "${partnerId}": the command list shows all.`);
  return account;
}

/** The partner's endpoint as it is set now. */
export async function findEndpoint({ endpoints }: Session, partnerId: string): Promise<Endpoint> {
  const { endpoint } = await endpoints.view(partnerId, { consistent: true });
  if (!endpoint) throw failure(`${partnerId} has no callback endpoint: the command callback set makes one.`);
  return endpoint;
}

/** When a condition did not hold because another operator, or a worker, was faster. */
export function changedMeanwhile(partnerId: string): CommandError {
  return failure(
    `${partnerId} was changed by somebody else at the same moment, nothing was done: run it again.`,
  );
}
