import * as z from 'zod/mini';
import { Msisdn, PushContent, tooLarge } from './push-content.ts';

function bounded(content: z.infer<typeof PushContent>, context: z.core.$RefinementCtx): void {
  const sentence = tooLarge(content);
  if (sentence) context.addIssue(sentence);
}

/** C1: one message to one recipient. */
export const SingleRequest = z.extend(PushContent, { msisdn: Msisdn }).check(z.superRefine(bounded));
export type SingleRequest = z.infer<typeof SingleRequest>;

/** C2: one message to a list of recipients. */
export const BulkRequest = z
  .extend(PushContent, { msisdn: z.array(Msisdn).check(z.minLength(1)) })
  .check(z.superRefine(bounded));

/** C3: several messages, one recipient each. */
export const MultiRequest = z.array(SingleRequest).check(z.minLength(1));

/** The limits of a partner with whom nothing else was agreed; counted in recipients. */
export const defaultPushLimits = { pushesPerMinute: 1_000_000, bulkRecipients: 10_000, multiMessages: 1_000 };

/** What was agreed; an absent limit is the default. */
export type PushLimits = { [Limit in keyof typeof defaultPushLimits]?: number | undefined };

/** Message histories are written in this offset from UTC, in minutes (+0300). */
export const historyOffsetMinutes = 180;
