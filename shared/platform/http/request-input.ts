import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { restorer } from '../runtime/json-numbers.ts';
import { damagedTexts, mayBeDamaged } from '../validation/damaged-text.ts';
import { formatIssues, type Issue, parse } from '../validation/format-issues.ts';
import { memberNames, misspeltMembers } from '../validation/misspelt.ts';
import { type Failure, fail, isFailure } from './failures.ts';
import type { Operation } from './operation.ts';
import { type ReadJson, readJson } from './request-body.ts';

export type Input = { path?: unknown; query?: unknown; body?: unknown };

const noBody: ReadJson = { json: undefined, inexact: [] };

/** The parts of the request as the operation's schemas parse them, or a sentence for each error. */
export function parseInput(
  op: Operation,
  event: Pick<APIGatewayProxyEventV2, 'pathParameters' | 'queryStringParameters'>,
  { text, who, nowMs }: { text: string; who: object; nowMs: number },
): Input | Failure {
  // A body that the schema does not require may be missing.
  const mayBeMissing = text.trim() === '' && op.body?.safeParse(undefined).success;
  const body = op.body && !mayBeMissing ? readJson(text) : noBody;
  if (isFailure(body)) return body;
  const batchLimit = op.batchLimit?.(body.json, who);
  if (batchLimit) return batchLimit;
  const sent = {
    path: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    body: body.json,
  };
  const input: Input = {};
  const errors: string[] = [];
  for (const part of ['path', 'query', 'body'] as const) {
    const schema = op[part];
    const parsed = schema && parse(schema, sent[part]);
    if (parsed?.success) input[part] = parsed.data;
    const issues = [
      ...misspeltIn(op, part, sent[part]),
      ...(part === 'body' && !op.rejectsElements && mayBeDamaged(text) ? damagedTexts(body.json) : []),
      ...(parsed?.error?.issues ?? []),
    ];
    const isRefused = errors.length > 0 || issues.length > 0;
    if (part === 'body' && isRefused) issues.push(...(op.foundLater?.(body.json, nowMs) ?? []));
    errors.push(...formatIssues({ issues: issues.sort((a, b) => elementOf(a) - elementOf(b)) }));
  }
  errors.push(...formatIssues({ issues: contradictions(op, sent) }));
  if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
  const restore = op.passedOn && restorer(text, body.inexact);
  if (restore) passOn(op.passedOn, input.body, restore);
  const tooMuch = op.checkPassedOn?.(input.body) ?? [];
  return tooMuch.length === 0 ? input : fail('REQUEST_INVALID', ...tooMuch);
}

/** The element of an array that an issue is about; before all of them, an issue of the body as a whole. */
function elementOf({ path: [first] }: Issue): number {
  return typeof first === 'number' ? first : -1;
}

const noMembers = z.object({});

/** Issues for members of one part of the request that are misspelt or belong in the other part. */
function misspeltIn({ query = noMembers, body = noMembers }: Operation, part: keyof Input, value: unknown) {
  switch (part) {
    case 'path':
      return [];
    case 'query':
      return misspeltMembers(query, value, {
        names: memberNames(body),
        advice: (name) => `send ${name} in the body`,
      });
    case 'body':
      return misspeltMembers(body, value, {
        names: memberNames(query),
        advice: (name, given) => `send it in the query: ?${name}=${typeof given === 'boolean' ? given : ''}`,
      });
  }
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
  if (Array.isArray(body)) body.forEach((element, n) => void restoreMembers(element, n));
  else restoreMembers(body);
}
