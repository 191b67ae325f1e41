import * as z from 'zod/mini';
import { wallet } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { Msisdn } from '../../shared/push/sending/push-content.ts';
import { neverRegisteredBy } from '../../shared/sandbox/test-numbers.ts';

const maxNumbers = 1_000;

const Recipients = z
  .object({
    registered: z._default(z.array(Msisdn), []),
    unregistered: z._default(z.array(Msisdn), []),
  })
  .check(
    z.superRefine(({ registered, unregistered }, context) => {
      const count = registered.length + unregistered.length;
      if (count < 1 || count > maxNumbers) {
        context.addIssue(`registered and unregistered: ${count} numbers, send 1 to ${maxNumbers} a call`);
      }
      const gone = new Set(unregistered);
      const both = registered.find((msisdn) => gone.has(msisdn));
      if (both !== undefined)
        context.addIssue('registered and unregistered: a number is in both lists, send it in one');
    }),
  )
  .register(z.globalRegistry, { id: 'UpdateRecipientsRequest' });

export const updateRecipientsOperation = operation({
  id: 'UpdateRecipients',
  route: 'PUT /wallet/recipients',
  caller: wallet,
  body: Recipients,
  response: z.object({ registered: z.int(), unregistered: z.int() }).register(z.globalRegistry, {
    id: 'UpdatedRecipients',
    description: 'How many distinct numbers were set',
  }),
});

/** W4: sets which phone numbers are registered with the wallet; some test numbers never are. */
export function updateRecipients(
  deps = {
    ...httpDeps({ recipients: recipientStore }),
    neverRegistered: neverRegisteredBy(readEnv('WALLET')),
  },
) {
  return httpHandler(updateRecipientsOperation, deps, async ({ body }) => {
    const registered = [...new Set(body.registered)];
    const unregistered = [...new Set(body.unregistered)];
    await deps.recipients.update({
      registered: registered.filter((msisdn) => !deps.neverRegistered.has(msisdn)),
      unregistered,
    });
    return ok({ registered: registered.length, unregistered: unregistered.length });
  });
}
