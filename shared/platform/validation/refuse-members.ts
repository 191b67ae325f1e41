import * as z from 'zod/mini';

/**
 * Refuses members that would have no effect here, and that a caller who sends them would expect an effect of. Each name
 * has the sentence that says what to do.
 */
export function refuseMembers(refused: Readonly<Record<string, string>>) {
  return z.transform((body: unknown, context) => {
    for (const [name, message] of Object.entries(refused))
      if (typeof body === 'object' && body !== null && Object.hasOwn(body, name))
        context.issues.push({ code: 'custom', path: [name], message, input: body });
    return body;
  });
}
