import { Endpoint } from '../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../shared/callbacks/endpoint/endpoint-store.ts';
import { matchAmong } from '../shared/partners/credentials.ts';
import { partnerAdminStore } from '../shared/partners/partner-admin-store.ts';
import type { PartnerLimits } from '../shared/partners/partner-limits.ts';
import { firstKey, type StoredKey } from '../shared/partners/partner-rows.ts';
import { connectLocalTable, type Table } from '../shared/platform/table/table.ts';
import type { Partner, Partners } from './partners.ts';
import { callbackUrl } from './simulators/partner.ts';

export type SeedOptions = {
  dynamodbEndpoint: string;
  tableName: string;
  partners: Partners;
  limits?: PartnerLimits;
  /** Where the simulated partners listen; absent without them. */
  simulatorPort?: number;
  /** Earlier starts have put the partners into this table, and their endpoints if simulators ran. */
  seeded?: { simulatorPort?: number | undefined };
};

/** The state of a partner that a start finds in the table. */
export type Standing = Awaited<ReturnType<typeof seedPartner>>;

/**
 * Puts partners and their endpoints into the table, each of them once: what was changed or deleted there since stays
 * as it is. Only the address of a simulated partner follows it to another port.
 */
export async function seedPartners(options: SeedOptions) {
  const table = connectLocalTable(options.tableName, options.dynamodbEndpoint);
  try {
    const [main, other] = await Promise.all([
      seedPartner(table, options, 'main'),
      seedPartner(table, options, 'other'),
    ]);
    return { main, other };
  } finally {
    table.client.destroy();
  }
}

async function seedPartner(table: Table, options: SeedOptions, name: keyof Partners) {
  const { simulatorPort, seeded } = options;
  const partner = options.partners[name];
  const partners = partnerAdminStore(table);
  const { login, secret, secretCreatedAt, partnerId, offerId } = partner;
  if (!seeded) {
    const key = firstKey({ login, partnerId, offerIds: [offerId] }, secret, secretCreatedAt);
    // A table that an earlier version seeded has the partner already; it stays as it is.
    await partners.create({ ...key, limits: options.limits ?? {} });
  }
  const [first, key] = await Promise.all([partners.find(partnerId), partners.key(login)]);
  if (first && simulatorPort !== undefined) {
    const seededUrl = seeded?.simulatorPort ? callbackUrl(name, seeded.simulatorPort) : undefined;
    await seedEndpoint(table, partner, { url: callbackUrl(name, simulatorPort), seededUrl });
  }
  const { endpoint } = await endpointStore(table).view(partnerId, { consistent: true });
  return { endpoint, hasValidSecret: hasValidSecret(partner, key), isDisabled: key?.disabled === true };
}

/** True if the secret in `partners.json` still works. */
function hasValidSecret(partner: Partner, key: StoredKey | undefined): boolean {
  if (key?.partnerId !== partner.partnerId || key.disabled) return false;
  const digests = key.secrets.map(({ digest }) => digest);
  return matchAmong(partner, digests) >= 0;
}

/** Makes the endpoint if no start has made it yet. An address that is still the simulator's follows it to another port. */
async function seedEndpoint(
  table: Table,
  { partnerId, callback }: Partner,
  { url, seededUrl }: { url: string; seededUrl: string | undefined },
): Promise<void> {
  const at = Date.now();
  const changed = (endpoint: Endpoint, what: string) => {
    const event = { kind: 'endpoint.changed' as const, atMs: at, by: 'npm start', data: { what } };
    return { endpoint, event };
  };
  await endpointStore(table).change(partnerId, (seen) => {
    if (!seen && seededUrl === undefined) {
      const { login, secret, webhookSecret } = callback;
      const signingSecrets = [{ secret: webhookSecret, createdAt: at }];
      const settings = { partnerId, url, basic: { login, secret }, signingSecrets, status: 'enabled' };
      return changed(Endpoint.parse(settings), 'address, HTTP Basic changed');
    }
    if (seen && seen.url === seededUrl && seededUrl !== url)
      return changed({ ...seen, url }, 'address changed');
    return 'as it was set';
  });
}
