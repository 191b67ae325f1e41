import * as z from 'zod/mini';

/** What can be agreed with a partner about sending; counted in recipients. */
export const PartnerLimits = z.object({
  pushesPerMinute: z.optional(z.int().check(z.positive())),
  bulkRecipients: z.optional(z.int().check(z.positive())),
  multiMessages: z.optional(z.int().check(z.positive())),
});
export type PartnerLimits = z.infer<typeof PartnerLimits>;
