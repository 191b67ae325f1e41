import type { Issue } from './format-issues.ts';
import { maxNesting } from './nesting.ts';

/** The replacement character, which decoders put in the place of bytes that are not UTF-8. */
const replacement = '\ufffd';

/** The replacement character as it is, and as JSON may escape it or half of a surrogate pair. */
const inJson = /\ufffd|\\u(f{3}d|d[89a-f])/i;

/** A body has at most this many of these issues: the first show what is wrong with all. */
const maxIssues = 20;

/** A part of the value, and the part that it is a member of. */
type Part = { value: unknown; step?: string | number; within?: Part };

/** Whether a JSON text may hold damaged texts. Only then is it worth looking into the parsed value. */
export function mayBeDamaged(json: string): boolean {
  return inJson.test(json);
}

/** The texts and names in a parsed value that hold U+FFFD, or half of a surrogate pair, which UTF-8 cannot have. */
export function damagedTexts(value: unknown): Issue[] {
  const issues: Issue[] = [];
  // Not recursive: a body may be nested more deeply than the stack.
  const left: Part[] = [{ value }];
  for (let part = left.pop(); part && issues.length < maxIssues; part = left.pop()) {
    const message = damageOf(part.value);
    if (message) issues.push({ path: pathTo(part), message });
    for (const member of listMembers(part).reverse()) left.push(member);
  }
  return issues;
}

/** Says what is wrong with a text, or with the name of a member. */
function damageOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes(replacement))
      return 'holds U+FFFD, which stands for bytes that were not UTF-8: the text is damaged, send it in UTF-8';
    return value.isWellFormed() ? undefined : 'must be valid Unicode (it holds half of a surrogate pair)';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const damaged = Object.keys(value).find(damageOf);
  return damaged === undefined ? undefined : damageOf(damaged);
}

/** The members that are damaged or may have damaged members. Most are sound texts and numbers, of which no list is made. */
function listMembers(within: Part): Part[] {
  const { value } = within;
  const parts: Part[] = [];
  const add = (step: string | number, one: unknown): void => {
    if (typeof one === 'object' || damageOf(one)) parts.push({ value: one, step, within });
  };
  if (Array.isArray(value)) for (let n = 0; n < value.length; n++) add(n, value[n]);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) add(name, one);
  return parts;
}

/** The outermost steps, as deep as our contracts are nested. */
function pathTo(part: Part): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Part | undefined = part; at?.step !== undefined; at = at.within) path.push(at.step);
  return path.reverse().slice(0, maxNesting);
}
