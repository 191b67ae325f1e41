import * as z from 'zod/mini';
import { addIssue } from '../validation/add-issue.ts';
import { Msisdn, PushType, Utm } from './push-content.ts';

/** An MSISDN in a path. */
export const MsisdnInPath = z
  .pipe(
    z.string(),
    z.transform((text, context) => {
      const msisdn = Msisdn.safeParse(/^\d+$/.test(text) ? Number(text) : Number.NaN);
      return msisdn.success
        ? msisdn.data
        : addIssue(context, 'must be a whole number of 7 to 15 digits, without +');
    }),
  )
  .register(z.globalRegistry, {
    type: 'integer',
    minimum: 1_000_000,
    maximum: 999_999_999_999_999,
    example: 79001234567,
  });

const time = z.iso.datetime();

/** Whether messages of the partner reach a phone. */
export const PhoneState = z
  .object({
    msisdn: Msisdn,
    registered: z.boolean().register(z.globalRegistry, {
      description: 'Whether your messages reach it; 79999990001 is never registered',
    }),
  })
  .register(z.globalRegistry, { id: 'SandboxPhoneState' });

const PhoneMessage = z
  .object({
    messageId: z.uuid(),
    state: z.enum(['DELIVERED', 'OPENED']),
    sender: z.string().register(z.globalRegistry, { description: 'The partner that sent it' }),
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

/** A phone and what it shows. */
export const Phone = z
  .extend(PhoneState, {
    messages: z.array(PhoneMessage).register(z.globalRegistry, {
      description: 'The newest 100 of the last 7 days, newest first; none on a phone that you have not added',
    }),
  })
  .register(z.globalRegistry, { id: 'SandboxPhone' });
