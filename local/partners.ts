import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { newSigningSecret } from '../shared/callbacks/endpoint/endpoint.ts';
import { systemIds } from '../shared/platform/runtime/ids.ts';
import { readJsonFile } from './json-file.ts';

const Partner = z.object({
  login: z.string(),
  secret: z.string(),
  secretCreatedAt: z.number(),
  partnerId: z.string(),
  offerId: z.string(),
  /** The keys that callbacks are sent with: the signing secret, and HTTP Basic credentials. */
  callback: z.object({ webhookSecret: z.string(), login: z.string(), secret: z.string() }),
});
export type Partner = z.infer<typeof Partner>;

const Partners = z.object({ main: Partner, other: Partner });
export type Partners = z.infer<typeof Partners>;

/** When the secret was made that the requests in events/ came with. They also work on the data of `npm start`. */
const secretCreatedAt = Date.UTC(2026, 4, 20, 12);

/** A new partner with new secrets, not stored anywhere yet. */
export function newPartner(partnerId: string, offerId = `${partnerId}-club`): Partner {
  return {
    login: partnerId,
    secret: systemIds.token(32),
    secretCreatedAt,
    partnerId,
    offerId,
    callback: {
      webhookSecret: newSigningSecret(systemIds, 0).secret,
      login: 'wallet-service',
      secret: systemIds.token(32),
    },
  };
}

/**
 * Returns the two partners of a state folder, and creates them if the folder is new. The second one is for trying
 * isolation. The service stores only digests of their secrets, so the local runner stores the secrets. `mainSecret`
 * replaces the first one's.
 */
export function rememberPartners(stateDir: string, mainSecret?: string): Partners {
  const file = join(stateDir, 'partners.json');
  const otherwise = 'does not hold partners: delete it, or start from scratch with --fresh.';
  const made = () => ({ main: newPartner('bars', 'bars-of-moscow'), other: newPartner('bakery') });
  const { main, other } = readJsonFile(file, Partners, otherwise) ?? made();
  const partners = { main: { ...main, secret: mainSecret ?? main.secret }, other };
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(file, JSON.stringify(partners, null, 2), { mode: 0o600 });
  return partners;
}

/** Budgets that no measurement and no test uses up: they send more requests in 10 s than a partner may. */
export const manyRequests = {
  tillRequests: 1_000_000,
  heavyRequests: 1_000_000,
  otherRequests: 1_000_000,
};

/** The secret in events/AuthorizePartner.json. It is valid only in tables that are deleted afterwards. */
export const sampleSecret = 'sample-secret';
