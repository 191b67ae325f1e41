import * as z from 'zod/mini';
import { addIssue } from '../platform/validation/add-issue.ts';
import { described, named } from '../platform/validation/documented.ts';
import { Msisdn, msisdnInDocument, notMsisdn, PushType, Utm } from '../push/sending/push-content.ts';

const MsisdnInPath = z
  .pipe(
    z.string(),
    z.transform((text, context) => {
      const msisdn = Msisdn.safeParse(/^\d+$/.test(text) ? Number(text) : Number.NaN);
      return msisdn.success ? msisdn.data : addIssue(context, notMsisdn);
    }),
  )
  .register(z.globalRegistry, msisdnInDocument);

/** The path of everything about one phone. */
export const PhonePath = z.object({ msisdn: MsisdnInPath });

const time = z.iso.datetime();

/** Whether messages of the partner reach a phone. */
export const PhoneState = named('SandboxPhoneState', {
  msisdn: Msisdn,
  registered: described(z.boolean(), 'Whether your messages reach it; 79999990001 is never registered'),
});

const PhoneMessage = z
  .object({
    messageId: z.uuid(),
    state: z.enum(['DELIVERED', 'OPENED']),
    sender: described(z.string(), 'The partner that sent it'),
    pushType: PushType,
    payload: z.looseObject({ title: z.string(), message: z.string() }).register(z.globalRegistry, {
      id: 'ShownPayload',
      description: 'As the wallet platform got it: an image is there with PROMO messages only.',
    }),
    utm: z.optional(Utm),
    acceptedAt: time,
    deliveredAt: time,
    openedAt: z.optional(time),
  })
  .register(z.globalRegistry, { id: 'SandboxMessage', description: 'A message as a phone shows it.' });

export const Phone = z
  .extend(PhoneState, {
    messages: described(
      z.array(PhoneMessage),
      'The newest 100 of the last 7 days, newest first; none on a phone that you have not added',
    ),
  })
  .register(z.globalRegistry, { id: 'SandboxPhone' });
