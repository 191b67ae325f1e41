import * as z from 'zod/mini';
import { addIssue } from './add-issue.ts';
import { described } from './documented.ts';

/** A list, by what its cursors begin with, and how the position in a cursor is read: `undefined` if it is none. */
type CursorKind<Position> = { list: string; read: (text: string) => Position | undefined };

/** The opaque cursor of a position in a list. */
export function cursorOf({ list }: Pick<CursorKind<never>, 'list'>, text: string): string {
  return Buffer.from(`${list} ${text}`).toString('base64url');
}

/** In a query: the position in a cursor that `cursorOf` made for the same list. */
export function cursor<Position>(kind: CursorKind<Position>) {
  const schema = z.pipe(
    z.string(),
    z.transform((given, context): Position => {
      const text = Buffer.from(given, 'base64url').toString();
      const position = text.startsWith(`${kind.list} `)
        ? kind.read(text.slice(kind.list.length + 1))
        : undefined;
      // Decoding skips what is not base64url.
      const isOurs = position !== undefined && Buffer.from(text).toString('base64url') === given;
      return isOurs ? position : addIssue(context, 'must be the cursor of the page before, unchanged');
    }),
  );
  return described(z.optional(schema), 'The cursor of the page before');
}
