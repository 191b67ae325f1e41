import { disabledBecause, Endpoint } from '../shared/callbacks/endpoint.ts';
import { type EndpointStore, endpointStore } from '../shared/callbacks/endpoint-store.ts';
import { newAccount } from '../shared/partners/account.ts';
import { partnerStore } from '../shared/partners/partner-store.ts';
import { connectLocalTable } from '../shared/table/table.ts';
import type { Partner, Partners } from './partners.ts';
import type { PartnerUrls } from './simulators/partner.ts';

export interface SeedOptions {
  readonly dynamodbEndpoint: string;
  readonly tableName: string;
  readonly partners: Partners;
  /** Where the simulated partners take callbacks; absent without them. */
  readonly callbackUrls?: PartnerUrls;
}

/** Puts the partners into the table, their accounts, offers and endpoints. */
export async function seedPartners(options: SeedOptions): Promise<void> {
  const { dynamodbEndpoint, tableName, partners, callbackUrls } = options;
  const table = connectLocalTable(tableName, dynamodbEndpoint);
  const store = partnerStore(table);
  const endpoints = endpointStore(table);
  const now = Date.now();
  for (const name of ['main', 'other'] as const) {
    const { login, secret, secretCreatedAt, partnerId, offerId } = partners[name];
    await store.saveAccount(newAccount({ login, partnerId, offerIds: [offerId] }, secret, secretCreatedAt));
    await store.saveOffer({ offerId, partnerId });
    if (callbackUrls) await endpoints.save(endpointOf(partners[name], callbackUrls[name], now));
    else await disableSimulated(endpoints, partners[name], now);
  }
  table.client.destroy();
}

/** Saved at every start, because the simulator's port may be another one. */
function endpointOf({ partnerId, callback }: Partner, url: string, nowMs: number): Endpoint {
  return Endpoint.parse({
    partnerId,
    url,
    basic: { login: callback.login, secret: callback.secret },
    signingSecrets: [{ secret: callback.webhookSecret, createdAt: nowMs }],
    status: 'enabled',
  });
}

/** Disables an endpoint that an earlier run pointed at its simulator; any other one stays as it is. */
async function disableSimulated(
  endpoints: EndpointStore,
  { partnerId, callback }: Partner,
  nowMs: number,
): Promise<void> {
  const { endpoint } = await endpoints.view(partnerId);
  if (endpoint?.signingSecrets.every(({ secret }) => secret === callback.webhookSecret)) {
    await endpoints.change(partnerId, () =>
      disabledBecause(endpoint, { reason: 'the simulated partner does not run', atMs: nowMs }),
    );
  }
}
