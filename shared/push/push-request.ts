import * as z from 'zod/mini';
import { firstSentences } from '../validation/format-issues.ts';
import { Msisdn, PushContent, tooLarge } from './push-content.ts';

/** The members of a request that are stored and sent as given. */
export const passedOn = ['payload', 'qos', 'utm'] as const;

/** C1: one message to one recipient. */
export const SingleRequest = z
  .extend(PushContent, { msisdn: Msisdn })
  .register(z.globalRegistry, { id: 'SendMessageRequest' });
export type SingleRequest = z.infer<typeof SingleRequest>;

/** C2: one message to a list of recipients. */
export const BulkRequest = z
  .extend(PushContent, { msisdn: z.array(Msisdn).check(z.minLength(1)) })
  .register(z.globalRegistry, { id: 'SendBulkRequest' });

/** C3: several messages, one recipient each. */
export const MultiRequest = z.array(SingleRequest).check(z.minLength(1));

/** The error of a request whose content is larger than the service accepts. */
export function checkContent(body: unknown): string[] {
  const sentence = tooLarge(body as PushContent);
  return sentence === undefined ? [] : [`body: ${sentence}`];
}

export function checkContents(body: unknown): string[] {
  const sentences = (body as PushContent[]).flatMap((content, n) => {
    const sentence = tooLarge(content);
    return sentence === undefined ? [] : [`[${n}]: ${sentence}`];
  });
  return firstSentences(sentences);
}

/** The limits of a partner with whom nothing else was agreed; counted in recipients. */
export const defaultPushLimits = { pushesPerMinute: 1_000_000, bulkRecipients: 10_000, multiMessages: 1_000 };

/** What was agreed; an absent limit is the default. */
export type PushLimits = { [Limit in keyof typeof defaultPushLimits]?: number | undefined };

/** Message histories are written in this offset from UTC, in minutes (+0300). */
export const historyOffsetMinutes = 180;
