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
  const textOf = (summary: ContentSummary, name: string) => {
    const value = summary[name as keyof ContentSummary];
    // The same time may be sent with several offsets.
    return JSON.stringify(name === 'deliverDue' && value !== undefined ? Date.parse(String(value)) : value);
  };
  const isAgreed = (name: string) => others.every((other) => textOf(other, name) === textOf(first, name));
  return Object.fromEntries(Object.entries(first).filter(([name]) => isAgreed(name)));
}
