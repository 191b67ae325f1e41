import * as z from 'zod/mini';
import { PushContent, Utm } from './push-content.ts';

/** The members of a content that lists and reports of sends show. */
export const ContentSummary = z.object({
  pushType: z.optional(PushContent.shape.pushType),
  title: z.optional(z.string()),
  utm: z.optional(Utm),
  deliverDue: z.optional(z.string()),
});
export type ContentSummary = z.infer<typeof ContentSummary>;

export function summarize({ pushType, payload: { title }, qos, utm }: PushContent): ContentSummary {
  return { pushType, title, utm, deliverDue: qos?.deliverDue };
}

/** The summary of a send whose messages have a content each: the members that are the same in all of them. */
export function agreedSummary(contents: readonly PushContent[]): ContentSummary {
  const [first, ...others] = contents.map(summarize);
  if (!first) return {};
  const isAgreed = ([name, value]: [string, unknown]) => {
    const text = JSON.stringify(value);
    return others.every((other) => JSON.stringify(other[name as keyof ContentSummary]) === text);
  };
  return Object.fromEntries(Object.entries(first).filter(isAgreed));
}
