import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { PhoneState } from '../../shared/sandbox/phone.ts';
import { maxPhones, phoneStore } from '../../shared/sandbox/phone-store.ts';

const phoneCursor = { list: 'phones', position: z.int() };

export const listPhonesOperation = operation({
  id: 'ListPhones',
  route: 'GET /sandbox/phones',
  caller: partner(['messages']),
  query: z.object({
    limit: queryNumber({ min: 1, max: maxPhones, standard: maxPhones }),
    cursor: cursor(phoneCursor),
  }),
  response: named('SandboxPhonePage', {
    phones: z.array(PhoneState),
    cursor: described(z.optional(z.string()), 'There when more phones follow'),
  }),
});

/** Lists the phones that the partner has added, in the order of their numbers. */
export function listPhones(deps = httpDeps({ phones: phoneStore })) {
  return httpHandler(listPhonesOperation, deps, async ({ partnerId, query, addFields }) => {
    const { limit, cursor: after = 0 } = query;
    const numbers = await deps.phones.numbers(partnerId, deps.clock.now());
    const following = [...numbers].filter((msisdn) => msisdn > after).sort((a, b) => a - b);
    const page = following.slice(0, limit);
    const last = following.length > limit ? page.at(-1) : undefined;
    addFields({ phones: page.length });
    return ok({
      phones: page.map((msisdn) => ({ msisdn, registered: true })),
      cursor: last === undefined ? undefined : cursorOf(phoneCursor, last),
    });
  });
}
