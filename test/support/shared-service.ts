import { inject } from 'vitest';
import { manyRequests, newPartner } from '../../local/partners.ts';
import { seedPartners } from '../../local/seed.ts';
import { partnerUrl, startPartnerSimulator } from '../../local/simulators/partner.ts';
import { callersOf } from '../../ops/scenario/actors.ts';
import type { RunningService } from './service.ts';
import type { SharedService } from './shared-services.setup.ts';

/** Waits between retries and schedules are real. */
export const realTime = 1;
/** Ten attempts in three days take a few seconds. */
export const fast = 200_000;

/** The part of a running service that most tests need. */
export type RunningTests = Pick<
  RunningService,
  'endpoints' | 'partner' | 'other' | 'wallet' | 'stateDir' | 'stop'
>;

type Options = {
  /** If false, the simulated partner listens, but the service does not have its URL. */
  hasEndpoint?: boolean;
};

async function ask(retrySpeed: number): Promise<SharedService> {
  const response = await fetch(`${inject('sharedServices')}/${retrySpeed}`);
  if (!response.ok) throw new Error(`The shared service did not start: ${await response.text()}`);
  return (await response.json()) as SharedService;
}

/** Returns the service that the e2e files share, with two partners that only this file uses. */
export async function sharedService(
  retrySpeed: number,
  { hasEndpoint = true }: Options = {},
): Promise<RunningTests> {
  const { endpoints, stateDir, file } = await ask(retrySpeed);
  const partners = { main: newPartner(`bars${file}`), other: newPartner(`bakery${file}`) };
  const { port, stop } = await startPartnerSimulator(0, (name) => partners[name].callback);
  await seedPartners({
    dynamodbEndpoint: endpoints.dynamodb,
    tableName: endpoints.tableName,
    partners,
    limits: manyRequests,
    ...(hasEndpoint ? { simulatorPort: port } : {}),
  });
  const describe = (name: 'main' | 'other') => {
    const { callback, ...key } = partners[name];
    const { webhookSecret, login, secret: password } = callback;
    return { ...key, partner: { url: partnerUrl(name, port), webhookSecret, basic: { login, password } } };
  };
  const own = { ...endpoints, ...describe('main'), other: describe('other') };
  const { partner, other, wallet } = callersOf(own);
  return {
    endpoints: own,
    partner,
    other,
    wallet,
    stateDir,
    stop: async () => {
      await stop();
      const { refused } = await ask(retrySpeed);
      if (refused.length > 0) throw new Error(`The roles do not allow: ${[...new Set(refused)].join('; ')}`);
    },
  };
}
