import * as z from 'zod/mini';

/** Adds an issue from a transformation that cannot read a value. */
export function addIssue(context: z.core.ParsePayload<unknown>, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value });
  return z.NEVER;
}
