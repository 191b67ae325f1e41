import { mkdirSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { CancellationMessage } from '../../shared/push/deadlines/cancellation-message.ts';
import { ReceiptMessage } from '../../shared/push/receipt.ts';
import { OutboxMessage } from '../../shared/push/sending/outbox-message.ts';
import { CallbackBody, callbackExample } from './callback-body.ts';

type Published = { name: string; schema: z.ZodMiniType; sample: unknown };

/** The messages that other systems exchange with the service outside its HTTP operations. */
export const published: readonly Published[] = [
  {
    name: 'push-outbox',
    schema: OutboxMessage,
    sample: {
      partnerId: 'bars',
      acceptedAt: '2026-05-20T12:00:00.000Z',
      pushType: 'PROMO',
      payload: {
        title: 'Два по цене одного',
        message: 'Сегодня до 18:00',
        image: 'https://bars.example/promos/17.png',
        deeplink: { target: 'campaign', campaignId: 17 },
      },
      utm: { utmSource: 'crm' },
      messages: [
        { messageId: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000', msisdn: 79001234567 },
        { messageId: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0002', msisdn: 79007654321 },
      ],
    },
  },
  {
    name: 'push-cancellations',
    schema: CancellationMessage,
    sample: {
      partnerId: 'bars',
      requestId: 'A9oANRGeIXVaY5dc',
      messageIds: ['0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000', '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0002'],
    },
  },
  {
    name: 'delivery-receipts',
    schema: ReceiptMessage,
    sample: {
      receipts: [
        {
          messageId: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000',
          msisdn: 79001234567,
          state: 'DELIVERED',
          time: '2026-05-20T12:00:03Z',
        },
      ],
    },
  },
  { name: 'callback', schema: CallbackBody, sample: callbackExample },
];

export type SchemaFile = { path: string; text: string };

/** Returns every file of docs/schemas: a JSON Schema and a sample for each message. */
export function schemaFiles(): SchemaFile[] {
  return published.flatMap(({ name, schema, sample }) => [
    { path: `${name}.schema.json`, text: pretty(z.toJSONSchema(schema, { io: 'input' })) },
    { path: `${name}.sample.json`, text: pretty(sample) },
  ]);
}

function pretty(json: unknown): string {
  return `${JSON.stringify(json, null, 2)}\n`;
}

if (import.meta.main) {
  mkdirSync(new URL('../schemas/', import.meta.url), { recursive: true });
  for (const { path, text } of schemaFiles())
    writeFileSync(new URL(`../schemas/${path}`, import.meta.url), text);
  console.log('Wrote docs/schemas');
}
