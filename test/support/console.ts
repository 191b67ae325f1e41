import { afterAll, beforeAll } from 'vitest';
import { newPartner } from '../../local/partners.ts';
import { seedPartners } from '../../local/seed.ts';
import { partnerUrl, startPartnerSimulator } from '../../local/simulators/partner.ts';
import { inTab, type Tab } from './browser.ts';
import { type RunningService, startService } from './service.ts';

type Visit = (tab: Tab) => Promise<void>;

type Options = {
  /** If given, starts a service of its own. The shared one runs in real time, as faster schedules slow pages down. */
  retrySpeed?: number;
  /** If false, the simulated partner listens, but the service does not have its URL. */
  hasEndpoint?: boolean;
};

let shared: Promise<RunningService> | undefined;
let partnersSoFar = 0;

/** Returns the service that the files of a worker share, with a partner that only this file uses. */
async function withOwnPartner(hasEndpoint: boolean): Promise<RunningService> {
  shared ??= startService({ retrySpeed: 1 });
  const service = await shared;
  partnersSoFar += 1;
  const main = newPartner(`bars${partnersSoFar}`);
  const partners = { main, other: newPartner(`bakery${partnersSoFar}`) };
  const { port, stop } = await startPartnerSimulator(0, (name) => partners[name].callback);
  const { dynamodb: dynamodbEndpoint, tableName, baseUrl } = service.endpoints;
  const simulatorPort = hasEndpoint ? { simulatorPort: port } : {};
  await seedPartners({ dynamodbEndpoint, tableName, partners, ...simulatorPort });
  const { login, secret, offerId } = main;
  const partner = { url: partnerUrl('main', port), webhookSecret: main.callback.webhookSecret };
  return {
    ...service,
    endpoints: { ...service.endpoints, ...main, partner },
    partner: { baseUrl, login, secret, offerId },
    stop,
  };
}

/** Starts the service and a browser for the tests of a file, which visit a page of the console such as `/keys`. */
export function consoleFixture(path: string, { retrySpeed, hasEndpoint = true }: Options = {}) {
  const running = {} as { service: RunningService };
  const urlOf = (page = path) => `${running.service.endpoints.baseUrl}/console${page}`;
  beforeAll(async () => {
    running.service = await (retrySpeed ? startService({ retrySpeed }) : withOwnPartner(hasEndpoint));
  });
  afterAll(() => running.service.stop());
  const visitAt = (page: string, visit: Visit) => inTab(urlOf(page), visit);
  return { running, urlOf, visitAt, visit: (visit: Visit) => visitAt(path, visit) };
}
