import * as z from 'zod/mini';

/** The limits that can be agreed with a partner. Limits for sending count recipients. */
export const PartnerLimits = z.object({
  pushesPerMinute: z.optional(z.int().check(z.positive())),
  bulkRecipients: z.optional(z.int().check(z.positive())),
  multiMessages: z.optional(z.int().check(z.positive())),
  /** Requests in 10 s over all keys, by their budget (rule 48). */
  tillRequests: z.optional(z.int().check(z.positive())),
  heavyRequests: z.optional(z.int().check(z.positive())),
  otherRequests: z.optional(z.int().check(z.positive())),
  /** A list that would remove more than this share of the stored points must confirm it. */
  removalPercent: z.optional(z.int().check(z.positive(), z.maximum(100))),
});
export type PartnerLimits = z.infer<typeof PartnerLimits>;
