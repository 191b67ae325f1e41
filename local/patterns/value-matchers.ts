import { StartUpError } from '../start-up-error.ts';
import { isRecord } from '../template/resource.ts';

export type Matches = (value: unknown) => boolean;

type Compile = (argument: unknown, where: string) => Matches;

function text(value: unknown, test: (text: string) => boolean): boolean {
  return typeof value === 'string' && test(value);
}

/** `prefix` and `suffix` may ignore case: `{"prefix": {"equals-ignore-case": "PUSH#"}}`. */
function affix(test: (value: string, part: string) => boolean): Compile {
  return (argument) => {
    const ignoreCase = isRecord(argument);
    const part = String(ignoreCase ? argument['equals-ignore-case'] : argument);
    return ignoreCase
      ? (value) => text(value, (actual) => test(actual.toLowerCase(), part.toLowerCase()))
      : (value) => text(value, (actual) => test(actual, part));
  };
}

const equalsIgnoreCase: Compile = (argument) => (value) =>
  text(value, (actual) => actual.toLowerCase() === String(argument).toLowerCase());

const wildcard: Compile = (argument) => {
  const parts = String(argument)
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (value) => text(value, (actual) => expression.test(actual));
};

const comparisons: Readonly<Record<string, (actual: number, limit: number) => boolean>> = {
  '=': (actual, limit) => actual === limit,
  '<': (actual, limit) => actual < limit,
  '<=': (actual, limit) => actual <= limit,
  '>': (actual, limit) => actual > limit,
  '>=': (actual, limit) => actual >= limit,
};

/** `[">", 0, "<=", 5]` */
const numeric: Compile = (argument, where) => {
  const list = Array.isArray(argument) ? argument : [];
  const tests: ((actual: number) => boolean)[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const compare = comparisons[String(list[index])];
    if (!compare) throw new StartUpError(`The event pattern compares with "${list[index]}" at ${where}.`);
    const limit = Number(list[index + 1]);
    tests.push((actual) => compare(actual, limit));
  }
  return (value) => typeof value === 'number' && tests.every((test) => test(value));
};

const exists: Compile = (argument) => (value) => (value !== undefined) === (argument === true);

/** Takes a value, a list of values, or another operator with one of its arguments. */
const anythingBut: Compile = (argument, where) => {
  const unwanted = (Array.isArray(argument) ? argument : [argument]).flatMap((item) =>
    isRecord(item) ? spread(item) : [item],
  );
  const matchers = unwanted.map((item) => compileMatcher(item, where));
  return (value) => value !== undefined && !matchers.some((matches) => matches(value));
};

/** `{"prefix": ["a", "b"]}` -> `{"prefix": "a"}, {"prefix": "b"}` */
function spread(operator: Record<string, unknown>): unknown[] {
  return Object.entries(operator).flatMap(([name, argument]) =>
    Array.isArray(argument) && name !== 'numeric'
      ? argument.map((item) => ({ [name]: item }))
      : [{ [name]: argument }],
  );
}

const operators: Readonly<Record<string, Compile>> = {
  prefix: affix((value, part) => value.startsWith(part)),
  suffix: affix((value, part) => value.endsWith(part)),
  'equals-ignore-case': equalsIgnoreCase,
  'anything-but': anythingBut,
  numeric,
  exists,
  wildcard,
};

/** One element of a pattern's list: a literal, or an object with one operator. */
export function compileMatcher(item: unknown, where: string): Matches {
  if (!isRecord(item)) return (value) => value === item;
  const [name = '', ...more] = Object.keys(item);
  const compile = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!compile || more.length > 0) {
    const unknown = [name, ...more].find((key) => !Object.hasOwn(operators, key)) ?? name;
    throw new StartUpError(
      `The event pattern uses "${unknown}" at ${where}, which the local runner does not know.`,
    );
  }
  return compile(item[name], where);
}
