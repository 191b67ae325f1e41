import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { restorer } from '../json/numbers.ts';
import { damagedTexts, mayBeDamaged } from '../validation/damaged-text.ts';
import { formatIssues, type Issue, parse } from '../validation/format-issues.ts';
import { isObject, lettersOf, memberNames, memberPaths } from '../validation/members/known-members.ts';
import { misspeltMembers } from '../validation/members/misspelt.ts';
import { withoutNulls } from '../validation/members/null-members.ts';
import { type Failure, fail, isFailure } from './failures.ts';
import type { Operation } from './operation.ts';
import { type ReadJson, readJson } from './request-body.ts';

export type Input = { path?: unknown; query?: unknown; body?: unknown };

type Sent = { path: object; query: object; body: unknown };

const noBody: ReadJson = { json: undefined, inexact: [] };

/** The parts of the request as the operation's schemas parse them, or a sentence for each error. */
export function parseInput(
  op: Operation,
  event: Pick<APIGatewayProxyEventV2, 'pathParameters' | 'queryStringParameters'>,
  { text, who, nowMs }: { text: string; who: object; nowMs: number },
): Input | Failure {
  // A body that the schema does not require may be missing.
  const mayBeMissing = text.trim() === '' && op.body?.safeParse(undefined).success;
  const body = op.body && !mayBeMissing ? readJson(text, op.bodyLimit?.failure) : noBody;
  if (isFailure(body)) return body;
  const batchLimit = op.batchLimit?.(body.json, who);
  if (batchLimit) return batchLimit;
  const json = op.body && withoutNulls(op.body, body.json);
  const sent: Sent = {
    path: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    body: json,
  };
  const input: Input = {};
  const errors: string[] = [];
  for (const part of ['path', 'query', 'body'] as const) {
    const schema = op[part];
    const parsed = schema && parse(schema, sent[part]);
    if (parsed?.success) input[part] = parsed.data;
    const issues: Issue[] = [
      ...unknownIn(op, part, sent),
      ...(part === 'body' && !op.rejectsElements && mayBeDamaged(text) ? damagedTexts(json) : []),
      ...(parsed?.error?.issues ?? []).map((issue) =>
        part === 'query' ? givenOnce(issue, sent.query) : issue,
      ),
    ];
    const isRefused = errors.length > 0 || issues.length > 0;
    if (part === 'body' && isRefused) issues.push(...(op.timeIssues?.(json, nowMs) ?? []));
    errors.push(...formatIssues({ issues: issues.sort((a, b) => elementIndex(a) - elementIndex(b)) }));
  }
  errors.push(...formatIssues({ issues: contradictions(op, sent) }));
  if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
  const restore = op.passedOn && restorer(text, body.inexact);
  if (restore) passOn(op.passedOn, input.body, restore);
  const tooMuch = op.checkPassedOn?.(input.body) ?? [];
  return tooMuch.length === 0 ? input : fail('REQUEST_INVALID', ...tooMuch);
}

/** The gateway joins the values of a parameter that was sent twice by a comma. */
function givenOnce(issue: Issue, query: object): Issue {
  const [name = ''] = issue.path;
  const isJoined = String(Reflect.get(query, name)).includes(',');
  return isJoined ? { ...issue, message: `${issue.message}, and be sent once` } : issue;
}

/** The element of an array that an issue is about; before all of them, an issue of the body as a whole. */
function elementIndex({ path: [first] }: Issue): number {
  return typeof first === 'number' ? first : -1;
}

const noMembers = z.object({});

/** Issues for members of one part of the request that are misspelt, belong in the other part, or are not taken. */
function unknownIn(op: Operation, part: keyof Sent, sent: Sent): Issue[] {
  switch (part) {
    case 'path':
      return [];
    case 'query':
      return unknownParameters(op, sent);
    case 'body': {
      const refused = refusedInBody(op, sent.body);
      const names = new Set(refused.map(({ path: [name] }) => name));
      const misplaced = misplacedInBody(op, sent.body);
      return [
        ...refused,
        ...misplaced.filter(({ path: [name, ...inner] }) => inner.length > 0 || !names.has(name)),
      ];
    }
  }
}

function misplacedInBody({ query = noMembers, body = noMembers }: Operation, given: unknown): Issue[] {
  return misspeltMembers(body, given, {
    names: memberNames(query),
    advice: (name, given) => `send it in the query: ?${name}=${typeof given === 'boolean' ? given : ''}`,
  });
}

/** Several operations have a dry run. Who tries one where there is none must not get the real thing. */
const noDryRun = { dryRun: 'this has no dry run, leave it out' };

function refusedInBody(
  { query = noMembers, body = noMembers, withoutEffect }: Operation,
  given: unknown,
): Issue[] {
  const hasDryRun = [query, body].some((schema) => memberNames(schema).includes('dryRun'));
  const refused = Object.entries({ ...(hasDryRun ? {} : noDryRun), ...withoutEffect });
  const sentences = new Map(refused.map(([name, sentence]) => [lettersOf(name), sentence]));
  return Object.entries(isObject(given) ? given : {}).flatMap(([name, value]) => {
    const message = value === null ? undefined : sentences.get(lettersOf(name));
    return message === undefined ? [] : [{ path: [name], message }];
  });
}

/**
 * Rule 59: a query of the contract may have unknown parameters that resemble no known one, and whose names are not those
 * of members that the body lacks: callers have had theirs for a proxy or a log. Other queries have none.
 */
function unknownParameters(
  { contractId, query = noMembers, body = noMembers }: Operation,
  { query: given, body: inBody }: Sent,
): Issue[] {
  if (Object.keys(given).length === 0) return [];
  const parts = [inBody].flat();
  const lacking = memberPaths(body).filter(({ isAbsentIn }) => parts.every(isAbsentIn));
  const paths = new Map(lacking.map(({ name, path }) => [name, path.join('.')]));
  const misspelt = misspeltMembers(query, given, {
    names: [...paths.keys()],
    isExact: true,
    advice: (name) => `send ${paths.get(name)} in the body`,
  });
  if (contractId !== undefined) return misspelt;
  const known = memberNames(query);
  const advice = known.length > 0 ? `known are ${known.join(', ')}` : 'leave it out';
  // A query of `?&` has a parameter without a name.
  const named = new Set<PropertyKey | undefined>(['', ...known, ...misspelt.map(({ path }) => path[0])]);
  const others = Object.keys(given).filter((name) => !named.has(name));
  return [...misspelt, ...others.map((name) => ({ path: [name], message: `unknown, ${advice}` }))];
}

/** Issues for flags that are true in the query and false in the body, or the other way round. */
function contradictions({ query }: Operation, sent: { query: object; body: unknown }): Issue[] {
  const inBody = Object(sent.body);
  return Object.entries(sent.query)
    .filter(([name]) => Object.hasOwn(query?.shape ?? {}, name) && Object.hasOwn(inBody, name))
    .filter(([name, value]) => typeof inBody[name] === 'boolean' && value === String(!inBody[name]))
    .map(([name, value]) => ({
      path: [name],
      message: `is ${inBody[name]} in the body and ${value} in the query, send one of them`,
    }));
}

/** Schemas have checked ordinary numbers: only then do the members get the source text of theirs. */
function passOn(
  members: readonly string[] = [],
  body: unknown,
  restore: NonNullable<ReturnType<typeof restorer>>,
): void {
  const restoreMembers = (part: unknown, ...path: number[]) => {
    for (const name of members) restore(Object(part)[name], ...path, name);
  };
  if (Array.isArray(body)) for (const [n, element] of body.entries()) restoreMembers(element, n);
  else restoreMembers(body);
}
