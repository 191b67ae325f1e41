import * as z from 'zod/mini';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointIsFeed, endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { examine } from '../../shared/callbacks/examination/examine.ts';
import { examinedStore } from '../../shared/callbacks/examination/examined-store.ts';
import { CheckName } from '../../shared/callbacks/examination/meanings.ts';
import { callbackExaminations } from '../../shared/callbacks/limits.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { sleepUntil } from '../../shared/platform/runtime/sleep.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

const ExaminationCheck = named('ExaminationCheck', {
  check: CheckName.register(z.globalRegistry, { id: 'ExaminationCheckName' }),
  expected: described(z.enum(['2xx', '4xx']), 'What a receiver should respond'),
  httpStatus: z.optional(z.int()),
  durationMs: z.optional(z.number()),
  verdict: described(
    z.enum(['PASSED', 'FAILED', 'ADVICE', 'SKIPPED']),
    'ADVICE: it works, and could be better. SKIPPED: not sent, or without a response in the time that was left',
  ),
  meaning: described(z.string(), 'What was sent, what came back, and what to change'),
});

export const examineEndpointOperation = operation({
  id: 'ExamineEndpoint',
  route: 'POST /callbacks/examine',
  caller: partner([]),
  budget: 'heavy',
  response: named('CallbackExamination', {
    examinedAt: z.iso.datetime(),
    passed: described(z.int(), 'How many checks passed'),
    failed: z.int(),
    checks: z.array(ExaminationCheck),
  }),
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'ENDPOINT_IS_FEED', 'TEST_LIMIT_EXCEEDED'],
});

/** Examines the receiver behind the endpoint, even while the endpoint is disabled. It touches no circuit. */
export function examineEndpoint(deps = connect()) {
  return liveKeyHandler(examineEndpointOperation, deps, async ({ partnerId, key, addFields }) => {
    const { endpoint } = await deps.endpoints.view(partnerId, { consistent: true });
    if (!endpoint) return endpointNotSet;
    if (!isPosted(endpoint)) return endpointIsFeed;
    const share = await deps.examinations.take(partnerId, 1, deps.clock.now());
    if (isFailure(share)) return share;
    const checks = await examine(deps, endpoint);
    const atMs = deps.clock.now();
    await deps.examined.save(endpoint, checks, { atMs, by: key.login });
    const count = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).length;
    const counts = { passed: count('PASSED'), failed: count('FAILED') };
    addFields(counts);
    return ok({ examinedAt: new Date(atMs).toISOString(), ...counts, checks });
  });
}

function connect() {
  const stores = { endpoints: endpointStore, examinations: callbackExaminations, examined: examinedStore };
  return {
    ...httpDeps({ ...stores, keys: liveKeys }),
    sleepUntil,
    client: guardedClient(addressPolicy(readEnv('CALLBACK_ADDRESSES'))),
  };
}
