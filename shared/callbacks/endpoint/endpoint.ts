import * as z from 'zod/mini';
import type { Ids } from '../../platform/runtime/ids.ts';

const SigningSecret = z.object({
  secret: z.string().check(z.regex(/^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)),
  createdAt: z.number(),
  /** The request that made it: a repetition of that request replaces it. */
  madeBy: z.optional(z.string()),
});

/** Which callbacks the partner's list has: those not delivered at once, or those delivered at once too. */
export const CallbackLog = z.enum(['failures', 'all']);
export type CallbackLog = z.infer<typeof CallbackLog>;

/** Where an endpoint says nothing else, by how the stage has its wallet platform. */
export function logByDefault(wallet: string): CallbackLog {
  return wallet === 'simulated' ? 'all' : 'failures';
}

export const Endpoint = z.object({
  partnerId: z.string(),
  url: z.string(),
  /** Credentials the partner gave us, sent as HTTP Basic. */
  basic: z.optional(z.object({ login: z.string(), secret: z.string() })),
  /** One, or two while rotating: then every callback carries both signatures. */
  signingSecrets: z.array(SigningSecret).check(z.minLength(1), z.maxLength(2)),
  /** For the whole exchange. An attempt must end well before the function's timeout of 60 s. */
  timeoutMs: z._default(z.int().check(z.minimum(1), z.maximum(30_000)), 15_000),
  status: z.enum(['enabled', 'disabled']),
  log: z.optional(CallbackLog),
  disabledReason: z.optional(z.string()),
  disabledAt: z.optional(z.number()),
});
export type Endpoint = z.infer<typeof Endpoint>;
export type SigningSecret = z.infer<typeof SigningSecret>;

/** 256 random bits in the format of Standard Webhooks. */
export function newSigningSecret(ids: Ids, nowMs: number, madeBy?: string): SigningSecret {
  return {
    secret: `whsec_${Buffer.from(ids.token(32), 'base64url').toString('base64')}`,
    createdAt: nowMs,
    madeBy,
  };
}

/** The secrets but for one that the same request made before it died: nobody has seen that one. */
export function secretsNotMadeBy({ signingSecrets }: Endpoint, madeBy: string | undefined): SigningSecret[] {
  return signingSecrets.filter((secret) => madeBy === undefined || secret.madeBy !== madeBy);
}

/** Ends a rotation: only the newest secret stays. */
export function withNewestSecretOnly(endpoint: Endpoint): Endpoint {
  return { ...endpoint, signingSecrets: newestFirst(endpoint.signingSecrets).slice(0, 1) };
}

/** Undoes a rotation: only the oldest secret stays. */
export function withOldestSecretOnly(endpoint: Endpoint): Endpoint {
  return { ...endpoint, signingSecrets: newestFirst(endpoint.signingSecrets).slice(-1) };
}

function newestFirst(secrets: readonly SigningSecret[]): SigningSecret[] {
  return [...secrets].sort((a, b) => b.createdAt - a.createdAt);
}

/** The change that disables an endpoint; `by` is absent when we do so ourselves. */
export function disabledBecause(
  endpoint: Endpoint,
  { reason, atMs, by }: { reason: string; atMs: number; by?: string },
) {
  return {
    endpoint: { ...endpoint, status: 'disabled' as const, disabledReason: reason, disabledAt: atMs },
    notice: { at: atMs, what: `disabled: ${reason}`, by },
  };
}
