import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { msisdnEnd } from '../../shared/platform/logging/msisdn-end.ts';
import { PhonePath, PhoneState } from '../../shared/sandbox/phone.ts';
import { maxPhones, phoneStore } from '../../shared/sandbox/phone-store.ts';
import { neverRegistered } from '../../shared/sandbox/test-numbers.ts';

export const putPhoneOperation = operation({
  id: 'PutPhone',
  route: 'PUT /sandbox/phones/{msisdn}',
  caller: partner(['messages']),
  path: PhonePath,
  response: PhoneState,
  failures: ['ROLE_FORBIDDEN', 'PHONE_LIMIT_EXCEEDED'],
});

/** Registers a phone for the partner alone: what is sent to it can be read and opened by hand. */
export function putPhone(deps = httpDeps({ phones: phoneStore, keys: liveKeys })) {
  return liveKeyHandler(putPhoneOperation, deps, async ({ partnerId, path: { msisdn }, addFields }) => {
    addFields({ msisdnEnd: msisdnEnd(msisdn) });
    if (msisdn === neverRegistered) return ok({ msisdn, registered: false });
    if (await deps.phones.add(partnerId, msisdn, deps.clock.now())) return ok({ msisdn, registered: true });
    return fail(
      'PHONE_LIMIT_EXCEEDED',
      `msisdn: there are ${maxPhones} phones, which is the most; delete one first`,
    );
  });
}
