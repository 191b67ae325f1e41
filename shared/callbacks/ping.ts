import * as z from 'zod/mini';
import { refusal } from '../platform/egress/address-rules.ts';
import type { FailedAttempt } from '../platform/egress/attempt-result.ts';
import type { GuardedClient } from '../platform/egress/guarded-client.ts';
import type { AddressPolicy } from '../platform/egress/public-address.ts';
import type { SignedRequest } from '../platform/egress/signed-request.ts';
import type { Work } from '../platform/logging/log.ts';
import { described, named } from '../platform/validation/documented.ts';
import { attemptSentences } from './attempt-sentences.ts';

/** A request that calls an endpoint ends in this time: the gateway waits 30 s for its function, which needs some of that. */
export const callsEndWithinMs = 25_000;

const TestedHeaders = z.record(z.string(), z.string()).register(z.globalRegistry, {
  id: 'TestedHeaders',
  description: 'Names in lower case; authorization is masked',
});

const TestedRequest = named(
  'TestedRequest',
  { headers: TestedHeaders, body: z.string() },
  'What was sent to the endpoint.',
);

export const CallbackTest = named('CallbackTest', {
  delivered: z.boolean(),
  httpStatus: z.optional(z.int()),
  error: described(z.optional(z.string()), 'Why it was not delivered'),
  response: described(
    z.optional(z.string()),
    'The first 300 characters of the response, if it was not delivered and the response is text',
  ),
  durationMs: z.number(),
  request: TestedRequest,
});

type Deps = { client: GuardedClient; addresses: AddressPolicy };

/** Makes one attempt, and says what was sent and what came back. It causes no retry and does not touch the circuit. */
export async function ping(
  { client, addresses }: Deps,
  signed: SignedRequest,
  addFields: Work['addFields'],
): Promise<z.infer<typeof CallbackTest>> {
  const result = await client.post({ ...signed, timeoutMs: Math.min(signed.timeoutMs, callsEndWithinMs) });
  const { httpStatus, durationMs } = result;
  addFields({ delivered: result.ok, httpStatus, exchangeMs: durationMs });
  return {
    delivered: result.ok,
    httpStatus,
    ...(result.ok ? {} : failureOf(result, refusal(signed.url, addresses))),
    durationMs,
    request: shown(signed),
  };
}

function shown({ headers, body }: SignedRequest) {
  const { authorization, ...others } = headers;
  return { headers: { ...others, ...(authorization ? { authorization: 'Basic ***' } : {}) }, body };
}

function failureOf({ error, response }: FailedAttempt, refused: string | undefined) {
  const isRefused = error === 'refused' && refused !== undefined;
  return { error: isRefused ? `refused: the URL ${refused}` : attemptSentences[error], response };
}
