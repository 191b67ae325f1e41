import * as z from 'zod/mini';

/** What a transformation returns for a value that it cannot read: the sentence that says why. */
export function addIssue(context: z.core.ParsePayload<unknown>, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value });
  return z.NEVER;
}
