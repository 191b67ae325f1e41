import type * as z from 'zod/mini';

/**
 * One sentence for each issue, naming its field by path: `places[3].placeInfo.address: required`. At most `limit`
 * sentences: a hostile body has thousands.
 */
export function formatIssues(error: z.core.$ZodError, root = '', limit = 20): string[] {
  const all = error.issues.map((issue) => `${pathOf(root, issue.path) || 'body'}: ${issue.message}`);
  return firstSentences(all, limit);
}

/** The first sentences, and how many more there are. */
export function firstSentences(all: readonly string[], limit = 20): string[] {
  return all.length <= limit ? [...all] : [...all.slice(0, limit), `and ${all.length - limit} more`];
}

/** Parses with messages that say what to do, without the library's terms. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.core.util.SafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, { error: (issue) => wording(issue) });
}

function pathOf(root: string, path: readonly PropertyKey[]): string {
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

function wording(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'required';
      // What is beyond the range of doubles, such as 1e400, is parsed as infinity.
      if (isInfinite(issue.input) && (issue.expected === 'number' || issue.expected === 'int'))
        return 'is out of range';
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'required';
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      if (issue.format === 'datetime') return 'must be an ISO 8601 date-time with Z or an offset';
      return issue.format === 'regex' ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`;
    case 'unrecognized_keys':
      return `has members that are not known: ${issue.keys.join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'required' : anyOf(issue.errors);
    default:
      return undefined;
  }
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) === Number.POSITIVE_INFINITY;
}

/** The messages of the alternatives, each once: `must be a whole number, or must be a string`. */
function anyOf(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  return [...new Set(alternatives.map(([first]) => first?.message))].join(', or ');
}

function bound(origin: string, side: string, limit: number | bigint): string {
  if (origin === 'array') return `have ${side} ${limit} ${limit === 1 ? 'element' : 'elements'}`;
  if (origin === 'string') return `have ${side} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
  return `be ${side} ${limit}`;
}
