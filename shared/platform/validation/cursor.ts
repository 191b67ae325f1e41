import * as z from 'zod/mini';
import { unlessItFails } from '../runtime/unless-it-fails.ts';
import { addIssue } from './add-issue.ts';
import { described } from './documented.ts';

/** The list of a cursor, by whose name a cursor of another list is refused, and the schema of a position in it. */
type CursorKind<Position> = { list: string; position: z.ZodMiniType<Position> };

/** The opaque cursor of a position in a list; it has the members of the schema, and no others. */
export function cursorOf<Position>({ list, position }: CursorKind<Position>, at: Position): string {
  return Buffer.from(JSON.stringify([list, position.parse(at)])).toString('base64url');
}

/** A parameter of a query: the position in a cursor that `cursorOf` made for the same list. */
export function cursor<Position>(kind: CursorKind<Position>) {
  const schema = z.pipe(
    z.string(),
    z.transform((given, context): Position => {
      const position = positionIn(given, kind);
      return position ?? addIssue(context, 'must be the cursor of the page before, unchanged');
    }),
  );
  return described(z.optional(schema), 'The cursor of the page before');
}

function positionIn<Position>(given: string, { list, position }: CursorKind<Position>): Position | undefined {
  const text = Buffer.from(given, 'base64url').toString();
  // Decoding skips characters that are not base64url.
  if (Buffer.from(text).toString('base64url') !== given) return undefined;
  return unlessItFails(() => z.tuple([z.literal(list), position]).parse(JSON.parse(text, wellFormed))[1]);
}

/** A key of the table cannot have half of a surrogate pair, which JSON can escape. */
function wellFormed(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('half of a surrogate pair');
  return value;
}
