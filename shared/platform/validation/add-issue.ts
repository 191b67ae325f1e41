import * as z from 'zod/mini';

/** For a transformation that cannot read a value: adds the sentence that says why. */
export function addIssue(context: z.core.ParsePayload<unknown>, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value });
  return z.NEVER;
}
