import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { msisdnEnd } from '../../shared/platform/logging/msisdn-end.ts';
import { stageRecipients } from '../../shared/push/recipient-store.ts';
import { PhonePath, PhoneState } from '../../shared/sandbox/phone.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';

export const deletePhoneOperation = operation({
  id: 'DeletePhone',
  route: 'DELETE /sandbox/phones/{msisdn}',
  caller: partner(['messages']),
  requests: 9,
  path: PhonePath,
  response: PhoneState,
  failures: ['ROLE_FORBIDDEN'],
});

/** Removes a phone with what it shows. A number that the wallet platform has registered stays registered. */
export function deletePhone(
  deps = httpDeps({ phones: phoneStore, recipients: stageRecipients, keys: liveKeys }),
) {
  return liveKeyHandler(deletePhoneOperation, deps, async ({ partnerId, path: { msisdn }, addFields }) => {
    addFields({ msisdnEnd: msisdnEnd(msisdn) });
    await deps.phones.remove(partnerId, msisdn);
    const registered = await deps.recipients.registeredAmong([msisdn], partnerId);
    return ok({ msisdn, registered: registered.has(msisdn) });
  });
}
