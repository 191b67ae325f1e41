import type * as z from 'zod/mini';
import type { Endpoint } from '../../shared/callbacks/endpoint.ts';
import type { Account } from '../../shared/partners/account.ts';
import { parse } from '../../shared/validation/format-issues.ts';
import { failed, wrongUsage } from '../cli/stop.ts';
import type { Call } from './command.ts';

/** Every command was given the operands that it names before it runs. */
export function operand({ operands }: Pick<Call, 'operands'>, n: number): string {
  return operands[n] ?? '';
}

/** The partner that the first operand names. */
export async function partnerOf(call: Call): Promise<Account> {
  const partnerId = operand(call, 0);
  const account = await call.partners.find(partnerId);
  if (!account) throw failed(`There is no partner "${partnerId}": the command list shows all.`);
  return account;
}

/** The partner's endpoint as it is set now. */
export async function endpointOf({ endpoints }: Call, partnerId: string): Promise<Endpoint> {
  const { endpoint } = await endpoints.view(partnerId, { consistent: true });
  if (!endpoint) throw failed(`${partnerId} has no callback endpoint: the command callback set makes one.`);
  return endpoint;
}

/** The value, when it fits its schema. */
export function checked(schema: z.ZodMiniType<string>, name: string, value: string | undefined): string {
  if (value === undefined) throw wrongUsage(`${name} is missing.`);
  const result = parse(schema, value);
  if (result.success) return result.data;
  throw wrongUsage(`${name} ${result.error.issues[0]?.message}, not "${value}".`);
}
