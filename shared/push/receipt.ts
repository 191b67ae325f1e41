import * as z from 'zod/mini';
import { named } from '../platform/validation/documented.ts';
import { ReceiptState } from './history.ts';
import { Msisdn } from './sending/push-content.ts';

/** One state that a device reported. */
export const Receipt = named('Receipt', {
  messageId: z.string().check(z.maxLength(64)),
  msisdn: Msisdn,
  state: ReceiptState,
  time: z.iso.datetime({ offset: true }).register(z.globalRegistry, {
    description: 'When it happened on the device',
    example: '2026-05-20T12:00:00Z',
  }),
});
export type Receipt = z.infer<typeof Receipt>;

export const receiptsPerMessage = 500;

/** The envelope is parsed first, so that one invalid receipt does not affect the 499 others. */
export const ReceiptEnvelope = z.object({
  receipts: z.array(z.unknown()).check(z.minLength(1), z.maxLength(receiptsPerMessage)),
});

export const ReceiptMessage = z
  .object({ receipts: z.array(Receipt).check(z.minLength(1), z.maxLength(receiptsPerMessage)) })
  .register(z.globalRegistry, {
    id: 'ReceiptMessage',
    title: 'delivery-receipts',
    description: 'One message of the queue delivery-receipts.',
  });
