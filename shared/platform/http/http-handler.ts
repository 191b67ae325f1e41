import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { startWork, type Work } from '../logging/log.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemIds } from '../runtime/ids.ts';
import { inTimeOf } from '../runtime/time-left.ts';
import { type Stores, tableDeps } from '../table/table-deps.ts';
import { type Caller, type Event, originOf } from './caller.ts';
import { type Failure, type FailureCode, fail, failureStatus, isFailure } from './failures.ts';
import { fingerprintOf, keyOf, once } from './idempotency.ts';
import { type IdempotencyStore, idempotencyStore, type SavedResponse } from './idempotency-store.ts';
import {
  acceptsIdempotencyKey,
  type Call,
  type Csv,
  type Ok,
  type Operation,
  smallBody,
  type WhoOf,
} from './operation.ts';
import { readText } from './request-body.ts';
import { parseInput } from './request-input.ts';
import { accepts, failureResponse, okResponse } from './response.ts';

export type HttpDeps = { clock: Clock; idempotency: IdempotencyStore };

/** The dependencies of a deployed HTTP function: the clock, random ids, and the named stores on its table. */
export function httpDeps<Made extends Stores>(stores: Made) {
  return { ids: systemIds, ...tableDeps({ idempotency: idempotencyStore, ...stores }) };
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

type CallerOf<Op extends Operation> = WhoOf<Op> & { callerId: string };

type Options<Op extends Operation> = {
  /** Headers of a replayed response that must be current, such as what is left of a rate. */
  currentHeaders?: (caller: CallerOf<Op>) => Promise<Record<string, string>>;
};

/**
 * Makes the Lambda handler of one operation: identifies the caller, parses the request by the operation's schemas,
 * runs `handle` (once for an Idempotency-Key), responds, and writes one log line. An exception becomes a 500 with the
 * request's reference.
 */
export function httpHandler<const Op extends Operation>(
  op: Op,
  deps: HttpDeps,
  handle: (call: Call<Op>) => Promise<Outcome<Op>>,
  options: Options<Op> = {},
) {
  return async (event: Event, context: Context): Promise<SavedResponse> => {
    const { requestId } = event.requestContext;
    const work = startWork(op.id, { requestId, invocationId: context.awsRequestId });
    try {
      const responded = await inTimeOf(context, () =>
        respond(op, deps, {
          event,
          work,
          maxRunMs: context.getRemainingTimeInMillis(),
          // The schemas have parsed what these types describe: this is the one cast.
          handle: (call) => handle(call as Call<Op>),
          currentHeaders: async (caller) => (await options.currentHeaders?.(caller as CallerOf<Op>)) ?? {},
        }),
      );
      const response = isFailure(responded) ? failureResponse(op, event, responded) : responded;
      const refusal = response.headers['x-error']?.split(';')[0];
      if (refusal) work.addMetrics({ Refused: 1 });
      work.done(refusal ? 'refused' : 'answered', { statusCode: response.statusCode, refusal });
      return response;
    } catch (error) {
      const failure = op.unexpectedFailure ?? 'INTERNAL_ERROR';
      work.failed(error, { statusCode: failureStatus[failure] });
      return failureResponse(op, event, fail(failure, `reference ${requestId}`));
    }
  };
}

type Request = {
  event: Event;
  work: Work;
  maxRunMs: number;
  handle: (call: unknown) => Promise<Ok<unknown> | Csv | Failure>;
  currentHeaders: (caller: object) => Promise<Record<string, string>>;
};

async function respond(op: Operation, deps: HttpDeps, request: Request): Promise<SavedResponse | Failure> {
  const { event, handle } = request;
  const { addFields, addMetrics } = request.work;
  const { requestId } = event.requestContext;
  const caller = op.caller.identify(event);
  if (isFailure(caller)) return caller;
  const { callerId, who } = caller;
  addFields({ callerId, ...caller.fields });
  const text = op.body ? await readText(event, op.bodyLimit ?? smallBody) : '';
  if (typeof text !== 'string') return text;
  const key = acceptsIdempotencyKey(op) ? keyOf(event.headers) : undefined;
  if (isFailure(key)) return key;
  const input = parseInput(op, event, { text, who, nowMs: deps.clock.now() });

  const work = async (operationToken?: string): Promise<SavedResponse> => {
    if (isFailure(input)) return failureResponse(op, event, input);
    const origin = originOf(event);
    const repeatOf = operationToken === requestId ? undefined : operationToken;
    const about = { requestId, origin, operationToken, repeatOf };
    const wantsCsv = accepts(event, 'text/csv', 'text/*');
    const given = { callerId, ...input, wantsCsv, bodyText: text, ...about, addFields, addMetrics };
    const outcome = await handle({ ...who, ...given });
    return isFailure(outcome) ? failureResponse(op, event, outcome) : okResponse(op.response, outcome);
  };
  // The key is looked up before validation errors are returned: a request that was accepted once keeps its response,
  // even if the rules have changed since.
  if (key === undefined || (!isFailure(input) && op.isDryRun?.(input))) return work();
  const fingerprint = fingerprintOf(event.rawPath, caller.scope ?? '', text);
  const run = {
    requestId,
    clock: deps.clock,
    maxRunMs: request.maxRunMs,
    work,
    currentHeaders: () => request.currentHeaders({ ...who, callerId }),
    secretMembers: op.secretMembers,
    addFields,
  };
  return once(deps.idempotency, { callerId, operation: op.id, key, fingerprint }, run);
}
