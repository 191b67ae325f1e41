import * as z from 'zod/mini';
import { wallet } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { Msisdn } from '../../shared/push/sending/push-content.ts';
import { neverRegistered } from '../../shared/sandbox/test-numbers.ts';

const maxNumbers = 1_000;

function numbersSentence(count: number): string {
  return `has ${count} numbers in registered and unregistered, send 1 to ${maxNumbers} a call`;
}

function numbersIn(body: unknown): number {
  const { registered, unregistered } = Object(body);
  const lists = [registered, unregistered].filter((list) => Array.isArray(list));
  return lists.reduce((count, list) => count + list.length, 0);
}

const Recipients = z
  .object({
    registered: z._default(z.array(Msisdn), []),
    unregistered: z._default(z.array(Msisdn), []),
  })
  .check(
    z.superRefine(({ registered, unregistered }, context) => {
      if (registered.length + unregistered.length === 0) context.addIssue(numbersSentence(0));
      const inOther = new Set(registered);
      for (const [n, msisdn] of unregistered.entries())
        if (inOther.has(msisdn))
          context.addIssue({
            code: 'custom',
            path: ['unregistered', n],
            message: 'is in registered too, send it in one of them',
          });
    }),
  )
  .register(z.globalRegistry, { id: 'UpdateRecipientsRequest' });

export const updateRecipientsOperation = operation({
  id: 'UpdateRecipients',
  route: 'PUT /wallet/recipients',
  caller: wallet,
  body: Recipients,
  batchLimit: (body) => {
    const count = numbersIn(body);
    return count > maxNumbers ? fail('REQUEST_INVALID', `body: ${numbersSentence(count)}`) : undefined;
  },
  response: z.object({ registered: z.int(), unregistered: z.int() }).register(z.globalRegistry, {
    id: 'UpdatedRecipients',
    description: 'How many distinct numbers were set',
  }),
});

/** W4: sets which phone numbers are registered with the wallet; some test numbers never are. */
export function updateRecipients(
  deps = {
    ...httpDeps({ recipients: recipientStore }),
    neverRegistered: readEnv('WALLET') === 'simulated' ? neverRegistered : undefined,
  },
) {
  return httpHandler(updateRecipientsOperation, deps, async ({ body }) => {
    const registered = [...new Set(body.registered)];
    const unregistered = [...new Set(body.unregistered)];
    await deps.recipients.update({
      registered: registered.filter((msisdn) => msisdn !== deps.neverRegistered),
      unregistered,
    });
    return ok({ registered: registered.length, unregistered: unregistered.length });
  });
}
