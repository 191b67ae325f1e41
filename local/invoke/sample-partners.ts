import { type Partners, rememberPartners } from '../partners.ts';

/** What events/AuthorizePartner.json signs in with. It is valid only for tables that are deleted afterwards. */
const sampleSecret = { secret: 'sample-secret', secretCreatedAt: Date.UTC(2026, 4, 20, 12) };

/** The partners that the sample events are written for, with the secret that the samples have. */
export function samplePartners(stateDir: string): Partners {
  const { main, other } = rememberPartners(stateDir);
  return { main: { ...main, ...sampleSecret }, other };
}
