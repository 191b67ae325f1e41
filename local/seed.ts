import { Endpoint } from '../shared/callbacks/endpoint/endpoint.ts';
import { type EndpointStore, endpointStore } from '../shared/callbacks/endpoint/store.ts';
import { type Account, newAccount } from '../shared/partners/account.ts';
import { matchAmong } from '../shared/partners/credentials.ts';
import { type PartnerAdminStore, partnerAdminStore } from '../shared/partners/partner-admin-store.ts';
import { connectLocalTable } from '../shared/platform/table/table.ts';
import type { Partner, Partners } from './partners.ts';
import { callbackUrl } from './simulators/partner.ts';

export interface SeedOptions {
  readonly dynamodbEndpoint: string;
  readonly tableName: string;
  readonly partners: Partners;
  /** Where the simulated partners listen; absent without them. */
  readonly simulatorPort?: number;
  /** Earlier starts have put the partners into this table, and their endpoints if simulators ran. */
  readonly seeded?: { readonly simulatorPort?: number | undefined };
}

/** What a start finds of a partner in the table. */
export type Standing = Awaited<ReturnType<typeof seedPartner>>;

type Stores = { partners: PartnerAdminStore; endpoints: EndpointStore };

/**
 * Puts partners and their endpoints into the table, each of them once: what was changed or deleted there since stays
 * as it is. Only the address of a simulated partner follows it to another port.
 */
export async function seedPartners(options: SeedOptions) {
  const table = connectLocalTable(options.tableName, options.dynamodbEndpoint);
  const stores = { partners: partnerAdminStore(table), endpoints: endpointStore(table) };
  try {
    const [main, other] = await Promise.all([
      seedPartner(stores, options, 'main'),
      seedPartner(stores, options, 'other'),
    ]);
    return { main, other };
  } finally {
    table.client.destroy();
  }
}

async function seedPartner(
  stores: Stores,
  { partners, simulatorPort, seeded }: SeedOptions,
  name: keyof Partners,
) {
  const partner = partners[name];
  const { login, secret, secretCreatedAt, partnerId, offerId } = partner;
  if (!seeded) {
    const account = newAccount({ login, partnerId, offerIds: [offerId] }, secret, secretCreatedAt);
    // A table that an earlier version seeded has the partner already; it stays as it is.
    await stores.partners.create(account);
  }
  const [first, account] = await Promise.all([
    stores.partners.find(partnerId),
    stores.partners.account(login),
  ]);
  if (first && simulatorPort !== undefined) {
    const seededUrl = seeded?.simulatorPort ? callbackUrl(name, seeded.simulatorPort) : undefined;
    await seedEndpoint(stores.endpoints, partner, { url: callbackUrl(name, simulatorPort), seededUrl });
  }
  const { endpoint } = await stores.endpoints.view(partnerId, { consistent: true });
  return { endpoint, lost: first ? lostOf(account, partner) : 'partner' } as const;
}

/** What was deleted or has ended since, so that the secret in `partners.json` is not valid any more. */
function lostOf(account: Account | undefined, { login, secret, partnerId }: Partner) {
  if (account?.partnerId !== partnerId) return 'key';
  const digests = account.secrets.map(({ digest }) => digest);
  return matchAmong({ login, secret }, digests) < 0 ? 'secret' : undefined;
}

/** Makes the endpoint if no start has made it yet. An address that is still the simulator's follows it to another port. */
async function seedEndpoint(
  endpoints: EndpointStore,
  partner: Partner,
  { url, seededUrl }: { url: string; seededUrl: string | undefined },
): Promise<void> {
  const at = Date.now();
  await endpoints.change(partner.partnerId, (seen) => {
    if (!seen && seededUrl === undefined) {
      const notice = { at, what: 'address, HTTP Basic changed', by: 'npm start' };
      return { endpoint: newEndpoint(partner, url, at), notice };
    }
    if (seen && seen.url === seededUrl && seededUrl !== url) {
      return { endpoint: { ...seen, url }, notice: { at, what: 'address changed', by: 'npm start' } };
    }
    return { refused: 'as it was set' };
  });
}

function newEndpoint({ partnerId, callback }: Partner, url: string, nowMs: number): Endpoint {
  return Endpoint.parse({
    partnerId,
    url,
    basic: { login: callback.login, secret: callback.secret },
    signingSecrets: [{ secret: callback.webhookSecret, createdAt: nowMs }],
    status: 'enabled',
  });
}
