import * as z from 'zod/mini';
import { AlertKind } from '../../events/event.ts';
import type { Ids } from '../../platform/runtime/ids.ts';
import { CallbackState } from '../callback.ts';

const SigningSecret = z.object({
  secret: z.string().check(z.regex(/^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)),
  createdAt: z.number(),
  /** A repetition of the request that made it replaces it. */
  madeBy: z.optional(z.string()),
});

/** Whether callbacks are posted to the partner's URL, or the partner reads them from its feed. */
export const CallbackMode = z.enum(['post', 'feed']);
export type CallbackMode = z.infer<typeof CallbackMode>;

/** Which callbacks the partner's list shows: only those that their first attempt did not deliver, or all. */
export const CallbackLog = z.enum(['failures', 'all']);
export type CallbackLog = z.infer<typeof CallbackLog>;

/** The log setting of endpoints that do not choose one, which depends on the stage's wallet platform. */
export function logByDefault(wallet: string): CallbackLog {
  return wallet === 'simulated' ? 'all' : 'failures';
}

/** The maximum number of callbacks that the endpoint takes in a second. */
export const MaxPerSecond = z
  .int()
  .check(z.minimum(1, 'must be at least 1, or null for no limit'), z.maximum(1_000));

/** The states that the partner is called back about. */
export const ChosenStates = z.array(CallbackState).check(
  z.minLength(1, 'must have at least 1 element, or be null for all states'),
  // A longer list is not looked into.
  z.maxLength(20),
  z.refine((states) => new Set(states).size === states.length, { message: 'must name each state once' }),
);

/** The kinds of events that are posted to the endpoint of alerts. */
export const ChosenKinds = z.array(AlertKind).check(
  z.minLength(1, 'must have at least 1 element, or be left out for the usual ones'),
  z.maxLength(100),
  z.refine((kinds) => new Set(kinds).size === kinds.length, { message: 'must name each kind once' }),
);

export const Endpoint = z.object({
  /** The partner; of the endpoint of alerts, the id that `alertsEndpointOf` makes. */
  partnerId: z.string(),
  /** Absent if callbacks are posted. */
  mode: z.optional(CallbackMode),
  /** Where callbacks are posted: an endpoint that has only ever been a feed has none. */
  url: z.optional(z.string()),
  /** Credentials the partner gave us, sent as HTTP Basic. */
  basic: z.optional(z.object({ login: z.string(), secret: z.string() })),
  /** A rotation has two: until it ends, every callback carries both signatures. */
  signingSecrets: z.array(SigningSecret).check(z.minLength(1), z.maxLength(2)),
  /** The time limit of the whole exchange, which must end well before the function's timeout of 60 s. */
  timeoutMs: z._default(z.int().check(z.minimum(1), z.maximum(30_000)), 15_000),
  status: z.enum(['enabled', 'disabled']),
  log: z.optional(CallbackLog),
  /** Absent if callbacks are sent as fast as workers are. */
  maxPerSecond: z.optional(MaxPerSecond),
  /** Absent if the partner wants callbacks about all states. */
  states: z.optional(ChosenStates),
  /** Of the endpoint of alerts. Absent if the partner has not chosen any. */
  kinds: z.optional(ChosenKinds),
  disabledReason: z.optional(z.string()),
  disabledAt: z.optional(z.number()),
  /** When it was last enabled again, ms. The failures of attempts that began before say nothing about it. */
  enabledAt: z.optional(z.number()),
});
export type Endpoint = z.infer<typeof Endpoint>;
/** An endpoint that callbacks are posted to. */
export const PostedEndpoint = z.extend(Endpoint, { url: z.string() });
export type PostedEndpoint = z.infer<typeof PostedEndpoint>;

export function isPosted(endpoint: Endpoint): endpoint is PostedEndpoint {
  return endpoint.mode !== 'feed' && endpoint.url !== undefined;
}

export type SigningSecret = z.infer<typeof SigningSecret>;

/** 256 random bits in the format of Standard Webhooks. */
export function newSigningSecret(ids: Ids, nowMs: number, madeBy?: string): SigningSecret {
  return {
    secret: `whsec_${Buffer.from(ids.token(32), 'base64url').toString('base64')}`,
    createdAt: nowMs,
    madeBy,
  };
}

/** The change that disables an endpoint; `by` is absent when we do so ourselves. */
export function disabledBecause(
  endpoint: Endpoint,
  { reason, atMs, by }: { reason: string; atMs: number; by?: string },
) {
  return {
    endpoint: { ...endpoint, status: 'disabled' as const, disabledReason: reason, disabledAt: atMs },
    event: { kind: 'endpoint.disabled' as const, atMs, by, data: { what: `disabled: ${reason}`, reason } },
  };
}
