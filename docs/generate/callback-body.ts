import * as z from 'zod/mini';
import { CallbackState } from '../../shared/callbacks/callback.ts';
import { Msisdn, Utm } from '../../shared/push/sending/push-content.ts';

/** The body that a partner's endpoint receives. */
export const CallbackBody = z
  .object({
    msisdn: Msisdn,
    messageId: z.uuid(),
    state: z.clone(CallbackState).register(z.globalRegistry, {
      description:
        'DELIVERED to the device, OPENED by its user, EXPIRED: qos.deliverDue has passed, or CANCELLED: taken back before it was opened',
    }),
    time: z.iso
      .datetime()
      .register(z.globalRegistry, { description: 'When the message got the state, UTC, in whole seconds' }),
    utm: z.optional(Utm),
  })
  .register(z.globalRegistry, {
    id: 'CallbackBody',
    title: 'callback',
    description: 'The body of a delivery-status callback.',
  });

export const callbackExample = {
  msisdn: 79001234567,
  messageId: '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11',
  state: 'DELIVERED',
  time: '2026-05-20T12:00:03Z',
  utm: { utmSource: 'crm', utmMiddle: 'push', utmCampaign: 'spring' },
};
