import { type Partners, rememberPartners } from '../partners.ts';

/** The secret in events/AuthorizePartner.json. It is valid only in tables that are deleted afterwards. */
const sampleSecret = { secret: 'sample-secret', secretCreatedAt: Date.UTC(2026, 4, 20, 12) };

/** The partners and the secret that the sample events are written for. */
export function samplePartners(stateDir: string): Partners {
  const { main, other } = rememberPartners(stateDir);
  return { main: { ...main, ...sampleSecret }, other };
}
