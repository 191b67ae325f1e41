import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { formatIssues, parse } from '../validation/format-issues.ts';
import { type Failure, fail, isFailure } from './failures.ts';
import type { Operation } from './operation.ts';
import { readJson } from './request-body.ts';

export type Input = { path?: unknown; query?: unknown; body?: unknown };

/** The parts of the request as the operation's schemas parse them, or a sentence for each error. */
export function parseInput(
  op: Operation,
  event: Pick<APIGatewayProxyEventV2, 'pathParameters' | 'queryStringParameters'>,
  { text, who }: { text: string; who: object },
): Input | Failure {
  const body = op.body ? readJson(text) : { json: undefined };
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
    if (!schema) continue;
    const parsed = parse(schema, sent[part]);
    if (parsed.success) input[part] = parsed.data;
    else errors.push(...formatIssues(parsed.error));
  }
  return errors.length === 0 ? input : fail('REQUEST_INVALID', ...errors);
}
