import * as z from 'zod/mini';
import { described } from '../../platform/validation/documented.ts';
import { recipientsPerPart } from '../packed-recipients.ts';
import { Msisdn, Payload, PushType, Qos, Utm } from './push-content.ts';

/**
 * A request to the wallet platform to show a message on the recipients' devices. Delivered at least once: repeats
 * have the same ids. A part of a bulk send is about 74 kB, and 91 kB with the longest numbers, ids and content, if that is emoji.
 */
export const OutboxMessage = z
  .object({
    partnerId: z.string(),
    acceptedAt: described(z.iso.datetime(), 'When the service accepted the messages, UTC'),
    releasedAt: described(
      z.optional(z.iso.datetime()),
      'When the service released the messages, if they were scheduled (`qos.deliverFrom`), UTC',
    ),
    requestId: described(
      z.optional(z.string()),
      'Names the request of the partner in the logs of both sides',
    ),
    pushType: PushType,
    payload: Payload,
    qos: z.optional(Qos),
    utm: z.optional(Utm),
    messages: z
      .array(z.object({ messageId: z.uuid(), msisdn: Msisdn }))
      .check(z.minLength(1), z.maxLength(recipientsPerPart)),
  })
  .register(z.globalRegistry, {
    id: 'OutboxMessage',
    title: 'push-outbox',
    description: 'One message of the queue push-outbox.',
  });
export type OutboxMessage = z.infer<typeof OutboxMessage>;
