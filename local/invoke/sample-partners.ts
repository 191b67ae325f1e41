import { type Partners, rememberPartners } from '../partners.ts';

/** What events/AuthorizePartner.json signs in with. It opens nothing but tables that are thrown away. */
const sampleSecret = 'sample-secret';

/** The partners that the sample events are written for, with the secret that stands in the samples. */
export function samplePartners(stateDir: string): Partners {
  const { main, other } = rememberPartners(stateDir);
  return { main: { ...main, secret: sampleSecret }, other };
}
