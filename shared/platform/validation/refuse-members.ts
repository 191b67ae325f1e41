import * as z from 'zod/mini';
import { lettersOf } from './members/known-members.ts';

/**
 * Refuses members that would have no effect here, and that a caller who sends them would expect an effect of, however they
 * are spelt. Each name has the sentence that says what to do. Null counts as absent.
 */
export function refuseMembers(refused: Readonly<Record<string, string>>) {
  const sentences = new Map(Object.entries(refused).map(([name, sentence]) => [lettersOf(name), sentence]));
  return z.transform((body: unknown, context) => {
    const given = typeof body === 'object' && body !== null ? Object.entries(body) : [];
    for (const [name, value] of given) {
      const message = sentences.get(lettersOf(name));
      if (message && value !== null)
        context.issues.push({ code: 'custom', path: [name], message, input: body });
    }
    return body;
  });
}
