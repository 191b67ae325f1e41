import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import {
  type Budget,
  moreForBody,
  type Payer,
  type RequestBudgets,
  requestBudgets,
} from '../limits/request-budget.ts';
import { errorName } from '../logging/error-name.ts';
import type { Work } from '../logging/log.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemIds } from '../runtime/ids.ts';
import { withinTime } from '../runtime/time-left.ts';
import { type Stores, tableDeps } from '../table/table.ts';
import { type Failure, type FailureCode, isFailure } from './failures.ts';
import {
  type IdempotencyStore,
  idempotencyStore,
  type KeyedOperation,
  once,
  type SavedResponse,
} from './idempotency.ts';
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts';
import {
  acceptsIdempotencyKey,
  type Call,
  type Caller,
  type Csv,
  type GatewayEvent,
  type Ok,
  type Operation,
  originOf,
  type WhoOf,
} from './operation.ts';
import { readBody, smallBody } from './request-body.ts';
import { parseInput } from './request-input.ts';
import { requestLogger, type WorkContext } from './request-logger.ts';
import { failureResponse, okResponse, prefersCsv } from './response.ts';

export type HttpDeps<Op extends Operation = Operation> = {
  clock: Clock;
  idempotency: IdempotencyStore;
  budgets: RequestBudgets;
  /** Headers of a replayed response that must be current, such as what is left of a rate. */
  currentHeaders?: (caller: WhoOf<Op>) => Promise<Record<string, string>>;
};

/** The dependencies of a deployed HTTP function: the clock, random ids, and the named stores on its table. */
export function httpDeps<Made extends Stores>(stores: Made) {
  return {
    ids: systemIds,
    ...tableDeps({ idempotency: idempotencyStore, budgets: requestBudgets, ...stores }),
  };
}

/** Declares the contract of an operation; the types of its handler follow from it. */
export function operation<Who extends object, const Op extends Operation<Who>>(
  op: Op & { caller: Caller<Who> },
): Op {
  return op;
}

export function ok<Body>(body: Body, headers?: Record<string, string>): Ok<Body> {
  return headers ? { ok: body, headers } : { ok: body };
}

export type Outcome<Op extends Operation> =
  | Ok<z.input<Op['response']>>
  | (Op extends { csv: true } ? Csv : never)
  | (Op extends { failures: readonly (infer Code extends FailureCode)[] } ? Failure<Code> : never);

/**
 * Makes the Lambda handler of one operation: identifies the caller, parses the request by the operation's schemas,
 * runs `handle` (once for an Idempotency-Key), responds, and writes one log line. An exception of `handle` becomes
 * a 500 with the request's reference.
 */
export function httpHandler<const Op extends Operation>(
  op: Op,
  deps: HttpDeps<Op>,
  handle: (call: Call<Op>) => Promise<Outcome<Op>>,
) {
  return middy<GatewayEvent, SavedResponse, Error, WorkContext>()
    .use(requestLogger(op))
    .handler(async (event, context) => {
      const { work: line } = context;
      const outcome = await withinTime(context, () => respond(op, deps, { event, context, line, handle }));
      return isFailure(outcome) ? failureResponse(op, event, outcome) : outcome;
    });
}

type Request<Op extends Operation> = {
  event: GatewayEvent;
  context: Context;
  /** The log line of the request. */
  line: Work;
  handle: (call: Call<Op>) => Promise<Outcome<Op>>;
};

async function respond<Op extends Operation>(
  op: Op,
  deps: HttpDeps<Op>,
  { event: received, context, line, handle }: Request<Op>,
): Promise<SavedResponse | Failure> {
  const { requestId } = received.requestContext;
  const pathParameters = op.readPath?.(received) ?? received.pathParameters ?? {};
  const event = isFailure(pathParameters) ? received : { ...received, pathParameters };
  const caller = op.caller.identify(event);
  // Before the budget: a key must not use up what it may not ask for.
  if (isFailure(caller)) return caller;
  const { callerId, who, payer } = caller;
  line.addFields({ callerId, ...caller.fields });
  const taken: Partial<Record<Budget, number>> = {};
  const takeFrom = async (budget: Budget, requests = 1) => {
    if (!payer || requests <= 0) return undefined;
    const before = taken[budget] ?? 0;
    taken[budget] = before + requests;
    return takeRequests(deps, line, payer, { budget, requests, before });
  };
  const budget = op.budget ?? 'others';
  // Nothing was done for the request yet, and its Idempotency-Key stays free.
  const overBudget = await takeFrom(budget, op.requests);
  if (overBudget) return overBudget;
  if (isFailure(pathParameters)) return pathParameters;
  const sentBody = op.body ? await readBody(event, op.bodyLimit ?? smallBody) : { text: '', sentBytes: 0 };
  if (isFailure(sentBody)) return sentBody;
  const { text } = sentBody;
  const largerThanBudget = await takeFrom(budget, moreForBody(sentBody));
  if (largerThanBudget) return largerThanBudget;
  const key = acceptsIdempotencyKey(op) ? readIdempotencyKey(event.headers) : undefined;
  if (isFailure(key)) return key;
  const input = parseInput(op, event, { text, who, nowMs: deps.clock.now() });

  const work = async (operation?: KeyedOperation): Promise<SavedResponse> => {
    if (isFailure(input)) return failureResponse(op, event, input);
    const { addFields, addMetrics } = line;
    const origin = originOf(event);
    const { token: operationToken, beganAt: operationBeganAt } = operation ?? {};
    const repeatOf = operationToken === requestId ? undefined : operationToken;
    const about = { requestId, origin, operationToken, operationBeganAt, repeatOf };
    const wantsCsv = prefersCsv(event.headers['accept']);
    const given = { ...input, wantsCsv, sentBody, ...about, takeFrom, addFields, addMetrics };
    // The schemas have parsed what this type describes.
    const outcome: Ok<unknown> | Csv | Failure = await handle({ ...who, ...given } as Call<Op>);
    return isFailure(outcome) ? failureResponse(op, event, outcome) : okResponse(op.response, outcome);
  };
  // The key is looked up before validation errors are returned: a request that was accepted once keeps its response,
  // even if the rules have changed since.
  if (key === undefined || (!isFailure(input) && op.isDryRun?.(input))) return work();
  const fingerprint = fingerprintOf(event.rawPath, caller.scope ?? '', text);
  const run = {
    clock: deps.clock,
    maxRunMs: context.getRemainingTimeInMillis(),
    work,
    currentHeaders: async () => (await deps.currentHeaders?.(who as WhoOf<Op>)) ?? {},
    secretMembers: op.secretMembers,
    addFields: line.addFields,
  };
  return once(deps.idempotency, { requestId, callerId, operation: op.id, key, fingerprint }, run);
}

/** Takes requests from a budget of a partner. What cannot be counted is served: the limit protects others. */
async function takeRequests(
  { budgets, clock }: Pick<HttpDeps, 'budgets' | 'clock'>,
  line: Work,
  payer: Payer,
  asked: { budget: Budget; requests: number; before: number },
) {
  try {
    const refused = await budgets.take(payer, asked, clock.now());
    if (refused) {
      line.addFields({ budget: asked.budget });
      line.addMetrics({ OverBudget: 1 });
    }
    return refused;
  } catch (error) {
    line.addFields({ requestsNotCounted: errorName(error) });
    return undefined;
  }
}
