import type * as z from 'zod/mini';

/** An issue: the path to a value, and what is wrong with it. */
export type Issue = {
  path: readonly PropertyKey[];
  message: string;
  /** The member that was meant: what is wrong with it needs no sentence of its own. */
  insteadOf?: readonly PropertyKey[];
};

/** A response has at most this many sentences. */
const maxSentences = 20;
/** A sentence lists at most this many ranges of positions. */
const maxRanges = 1_000;
/** A sentence shows at most this many characters of each name in a path, since a hostile body may have names of megabytes. */
const maxNameCharacters = 100;

/**
 * One sentence for each field with issues, naming it by path: `places[3].placeInfo.address: required`. Elements of a list
 * with the same issues share a sentence: `msisdn[0-41,99]: required`. At most 20 sentences: a hostile body has
 * thousands.
 */
export function formatIssues({ issues }: { issues: readonly Issue[] }, root = ''): string[] {
  const groups = Map.groupBy(oneForEachField(issues.map(withShortNames)), ({ path, message }) =>
    JSON.stringify([path.toSpliced(positionAt(path), 1, 0), message]),
  );
  const first = [...groups.values()].slice(0, maxSentences).map((group) => formatSentence(root, group));
  return withRest(first, groups.size);
}

/** Done first, because paths are compared as JSON texts. */
function withShortNames({ path, message, insteadOf }: Issue): Issue {
  return {
    path: path.map(shortName),
    message,
    ...(insteadOf ? { insteadOf: insteadOf.map(shortName) } : {}),
  };
}

function shortName(step: PropertyKey): PropertyKey {
  if (typeof step !== 'string' || step.length <= maxNameCharacters) return step;
  return `${step.slice(0, maxNameCharacters)}...`;
}

function oneForEachField(issues: readonly Issue[]): Issue[] {
  const keyOf = (path: readonly PropertyKey[]) => JSON.stringify(path);
  const meant = new Set(issues.map(({ insteadOf }) => insteadOf && keyOf(insteadOf)));
  const byField = Map.groupBy(issues, ({ path }) => keyOf(path));
  for (const field of meant) if (field !== undefined) byField.delete(field);
  return [...byField.values()].map((ofField) => {
    const [first] = ofField as [Issue];
    const messages = new Set(ofField.map(({ message }) => message));
    return { path: first.path, message: [...messages].join(', and ') };
  });
}

function formatSentence(root: string, group: readonly Issue[]): string {
  const [{ path, message }] = group as [Issue, ...Issue[]];
  const at = positionAt(path);
  const places = at === path.length ? '' : `[${formatRanges(group.map((issue) => Number(issue.path[at])))}]`;
  const field = formatPath(`${formatPath(root, path.slice(0, at))}${places}`, path.slice(at + 1));
  return `${field || 'body'}: ${message}`;
}

/** The index in the path of the list whose elements share an issue, or the path's length if there is none. */
function positionAt(path: readonly PropertyKey[]): number {
  const at = path.findIndex((step) => typeof step === 'number');
  return at === -1 ? path.length : at;
}

/** `0-2,7`: positions come in order, as the elements were read. */
function formatRanges(positions: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const position of positions) {
    const last = ranges.at(-1);
    if (last?.to === position - 1) last.to = position;
    else ranges.push({ from: position, to: position });
  }
  const shown = ranges.slice(0, maxRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return [...shown, ...(ranges.length > maxRanges ? ['...'] : [])].join(',');
}

/** The first sentences, and how many more there are. */
export function firstSentences(all: readonly string[], most = maxSentences): string[] {
  return withRest(all.slice(0, most), all.length);
}

function withRest(first: readonly string[], count: number): string[] {
  const more = count - first.length;
  return more === 0 ? [...first] : [...first, `and ${more} more`];
}

/** Parses with messages that say what to do, without the library's terms. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.core.util.SafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, { error: (issue) => wording(issue) });
}

function formatPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, root);
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** Whether the input is a number in quotes, as sent by clients that quote all values. */
export function isQuotedNumber(input: unknown): boolean {
  return typeof input === 'string' && /^[+-]?\d+(\.\d+)?$/.test(input.trim());
}

function wording(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_value':
      return `${issue.input === undefined ? 'required,' : 'must be'} one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    default:
      return undefined;
  }
}

function wrongType({ input, expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  if (input === undefined) return 'required';
  const isNumber = expected === 'number' || expected === 'int';
  // A number beyond the range of doubles, such as 1e400 and -1e400, is parsed as infinity.
  if (isNumber && typeof input === 'number' && !Number.isFinite(input)) return 'is out of range';
  if (isNumber && isQuotedNumber(input)) return 'must be a JSON number, without quotes';
  return `must be ${typeNames[expected] ?? expected}${otherBrackets(input, expected)}`;
}

/** Bodies are most often of the wrong type because of their brackets: a bare list, or one message that is in none. */
function otherBrackets(input: unknown, expected: string): string {
  if (expected === 'object' && Array.isArray(input)) return ', not an array';
  const isObject = typeof input === 'object' && input !== null;
  return expected === 'array' && isObject ? ', not an object' : '';
}

function bound(origin: string, side: string, limit: number | bigint): string {
  if (origin === 'array') return `have ${side} ${limit} ${limit === 1 ? 'element' : 'elements'}`;
  if (origin === 'string') return `have ${side} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
  return `be ${side} ${limit}`;
}
