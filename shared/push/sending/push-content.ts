import * as z from 'zod/mini';
import { described } from '../../platform/validation/documented.ts';
import { isQuotedNumber } from '../../platform/validation/format-issues.ts';
import { protectedMembers } from '../../platform/validation/members/known-members.ts';
import { dateTime } from '../../platform/validation/moment.ts';
import { isNestedWithin, maxNesting } from '../../platform/validation/nesting.ts';
import { text, visibleText } from '../../platform/validation/text.ts';

/** A limit for what is stored and forwarded as given. */
const maxContentBytes = 4_096;

export const PushType = z.enum(['TRANSACTION', 'SERVICE', 'PROMO']).register(z.globalRegistry, {
  id: 'PushType',
  description: 'Transactional, service or advertising',
});

const webUrl = z
  .string()
  .check(
    z.maxLength(2_048),
    z.refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), 'must be an http or https URL'),
  )
  .register(z.globalRegistry, { format: 'uri' });

const CampaignId = z.union([z.int(), text(1, 512)], {
  error: 'must be the number of a promotion, or a text of 1 to 512 characters',
});

const Deeplink = z
  .looseObject({
    target: z._default(z.enum(['card', 'campaign', 'campaigns']), 'card'),
    campaignId: described(z.optional(CampaignId), 'The promotion to open'),
  })
  .check(
    z.refine(({ target, campaignId }) => target !== 'campaign' || campaignId !== undefined, {
      path: ['campaignId'],
      message: 'required with target campaign',
    }),
  )
  .register(z.globalRegistry, { id: 'Deeplink' })
  .register(protectedMembers);

/** The visible content. Other members are forwarded as given. */
export const Payload = z
  .looseObject({
    title: visibleText(50),
    message: visibleText(150),
    image: described(z.optional(webUrl), 'Shown with PROMO messages only'),
    deeplink: z.optional(Deeplink),
  })
  .register(z.globalRegistry, {
    id: 'Payload',
    description: 'What the recipient sees. Other members are passed on as given.',
  })
  .register(protectedMembers);

/** Passed on with the offset as RFC 3339 has it, which every receiver can read: `+03` becomes `+03:00`. */
function passedOnTime(described: { description: string; example: string }) {
  return dateTime((_moment, text) =>
    text.replace(/([+-]\d\d):?(\d\d)?$/, (_offset, hours, minutes = '00') => `${hours}:${minutes}`),
  ).register(z.globalRegistry, { ...described, format: 'date-time' });
}

const DeliverDue = passedOnTime({
  description:
    'A deadline, at most 30 days ahead: the message is not shown after it, and is EXPIRED if it was neither delivered nor opened by then',
  example: '2026-05-20T18:00:00+03:00',
});

const DeliverFrom = passedOnTime({
  description:
    'The message is SCHEDULED, and handed over within 70 s after this time and never before; at most 7 days ahead, and the same in all messages of a request',
  example: '2026-05-20T10:00:00+03:00',
});

export const Qos = z
  .looseObject({
    deliveryStatusNotifications: described(z.optional(z.boolean()), 'true asks for callbacks, default false'),
    deliverFrom: z.optional(DeliverFrom),
    deliverDue: z.optional(DeliverDue),
  })
  .register(z.globalRegistry, {
    id: 'QoS',
    description: 'Delivery settings. Other members are passed on as given.',
  })
  .register(protectedMembers);

type Payload = z.infer<typeof Payload>;

export const Utm = z
  .looseObject({
    utmSource: z.optional(z.string()),
    utmMiddle: z.optional(z.string()),
    utmCampaign: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'UTM', description: 'Comes back in callbacks as given.' });

type Utm = z.infer<typeof Utm>;

export const notMsisdn = 'must be a whole number of 7 to 15 digits, without +';

export const msisdnInDocument = {
  type: 'integer',
  minimum: 1_000_000,
  maximum: 999_999_999_999_999,
  example: 79001234567,
};

export const Msisdn = z
  .number({
    error: ({ input }) => {
      if (input === undefined) return 'required';
      return isQuotedNumber(input) ? 'must be a JSON number, without quotes and without +' : notMsisdn;
    },
  })
  .check(
    z.refine(
      (value) =>
        Number.isSafeInteger(value) && value >= msisdnInDocument.minimum && value <= msisdnInDocument.maximum,
      notMsisdn,
    ),
  )
  .register(z.globalRegistry, msisdnInDocument);

/** A push message without its recipients. */
export const PushContent = z.object({
  pushType: PushType,
  payload: Payload,
  qos: z.optional(Qos),
  utm: z.optional(Utm),
});
export type PushContent = z.infer<typeof PushContent>;

/**
 * A content as it is stored. Only this service writes it, so it is not checked again, and a release that accepts less than
 * an earlier one still reads its messages. A time in a form that an earlier release did not read is left out.
 */
export const StoredPushContent = z.object({
  pushType: PushType,
  payload: z.custom<Payload>((payload) => typeof payload === 'object'),
  qos: z.optional(
    z.looseObject({
      ...Qos.shape,
      deliverFrom: z.catch(Qos.shape.deliverFrom, undefined),
      deliverDue: z.catch(Qos.shape.deliverDue, undefined),
    }),
  ),
  utm: z.optional(z.custom<Utm>()),
});

/** The bytes of the members that are passed on, as compact JSON in UTF-8, including what is dropped later. */
function contentBytes({ payload, qos, utm }: PushContent): number {
  return Buffer.byteLength(JSON.stringify({ payload, qos, utm }));
}

/** The error if the content is larger than the service accepts. */
export function tooLarge(content: PushContent): string | undefined {
  const { payload, qos, utm } = content;
  if (!isNestedWithin({ payload, qos, utm }))
    return `payload, qos and utm: nested more than ${maxNesting} levels deep`;
  if (inexactNumbersIn({ payload, qos, utm }) > mostInexactNumbers)
    return `payload, qos and utm: more than ${mostInexactNumbers} numbers such as 1.10 or 1e3; send them in their shortest form, as 1.1 and 1000`;
  const bytes = contentBytes(content);
  if (bytes <= maxContentBytes) return undefined;
  return `payload, qos and utm: ${bytes} bytes, the limit is ${maxContentBytes} bytes in all`;
}

/** Every reader of a send restores them, which takes much longer than to parse other text. */
const mostInexactNumbers = 100;

function inexactNumbersIn(value: unknown): number {
  if (JSON.isRawJSON(value)) return 1;
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return parts.reduce((sum: number, part) => sum + inexactNumbersIn(part), 0);
}

/** How often a message with a content of its own counts towards the rate: once for each started 1,024 bytes (rule 49). */
export function countTowardsRate(content: PushContent): number {
  return Math.ceil(contentBytes(content) / 1_024);
}

/** The content that is stored and sent: an image is for advertising, in other messages it is accepted and dropped. */
export function asSent(content: PushContent): PushContent {
  if (content.pushType === 'PROMO') return content;
  const { image: _dropped, ...payload } = content.payload;
  return { ...content, payload };
}

export function wantsCallbacks({ qos }: PushContent): boolean {
  return qos?.deliveryStatusNotifications === true;
}
