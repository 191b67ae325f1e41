import { randomBytes } from 'node:crypto';
import { setInterval as every } from 'node:timers';
import {
  type LoopbackServer,
  type Routes,
  startLoopbackServer,
} from '../../../local/simulators/loopback-server.ts';
import { partnerRoutes } from '../../../local/simulators/partner.ts';
import { Endpoint, newSigningSecret } from '../../../shared/callbacks/endpoint.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint-store.ts';
import { newAccount } from '../../../shared/partners/account.ts';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { systemIds } from '../../../shared/runtime/ids.ts';
import type { Table } from '../../../shared/table/table.ts';

/** How a partner's endpoint takes callbacks while things go wrong. */
const behaviors = ['healthy', 'failing', 'slow', 'flapping', 'dead'] as const;
type Behavior = (typeof behaviors)[number];

interface ReceivedCallback {
  readonly body: { readonly messageId: string; readonly state: string; readonly msisdn: number };
  readonly verified: boolean;
  readonly answered: number | 'closed';
}

export interface ChaosPartner {
  readonly behavior: Behavior;
  readonly partnerId: string;
  readonly login: string;
  readonly secret: string;
  readonly offerIds: readonly string[];
  received(): readonly ReceivedCallback[];
}

export interface Actors {
  readonly partners: readonly ChaosPartner[];
  /** Puts accounts, offers and endpoints into the table. */
  seed(table: Table): Promise<void>;
  /** The failing, the slow and the flapping partner recover; the dead one stays dead. */
  recover(): void;
  stop(): Promise<void>;
}

const none = { headers: {}, body: '' };
/** Offers of the first partner: lists of service points go there. */
export const syncOffers = ['chaos-1', 'chaos-2', 'chaos-3'] as const;
export const checkInOffer = 'chaos-check-ins';

/** Changes the simulated partner's behavior by the clock. */
function misbehave(behavior: Behavior, behave: (how: object) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let up = true;
  if (behavior === 'failing') timer = every(() => behave({ status: 503, times: 3 }), 400);
  if (behavior === 'flapping') {
    timer = every(() => {
      up = !up;
      behave(up ? {} : { close: true });
    }, 1_500);
  }
  if (behavior === 'slow') behave({ delayMs: 400 });
  if (behavior === 'dead') behave({ close: true });
  return () => {
    clearInterval(timer);
    if (behavior !== 'dead') behave({});
  };
}

function newMember(behavior: Behavior) {
  const signing = newSigningSecret(systemIds, Date.now());
  const secret = randomBytes(24).toString('base64url');
  const keys = { webhookSecret: signing.secret, login: 'wallet-service', secret };
  const prefix = `/${behavior}`;
  const routes: Routes = partnerRoutes(prefix, keys);
  const call = (route: string, body = '') => routes[route]?.({ ...none, body });
  const stop = misbehave(behavior, (how) => void call(`POST ${prefix}/behave`, JSON.stringify(how)));
  const partnerId = `chaos-${behavior}`;
  const partner: ChaosPartner = {
    behavior,
    partnerId,
    login: partnerId,
    secret,
    offerIds: behavior === 'healthy' ? [...syncOffers, checkInOffer] : [],
    // Without the network: twenty thousand callbacks are many megabytes.
    received: () => (call(`GET ${prefix}/received`) as { json: readonly ReceivedCallback[] }).json,
  };
  const endpointAt = (server: LoopbackServer) =>
    Endpoint.parse({
      partnerId,
      url: `${server.url}${prefix}/callback`,
      basic: { login: keys.login, secret },
      signingSecrets: [signing],
      timeoutMs: 5_000,
      status: 'enabled',
    });
  return { partner, routes, recover: stop, endpointAt };
}

/** Partners of every behavior, on a server of their own: they outlive the service. */
export async function startActors(): Promise<Actors> {
  const members = behaviors.map(newMember);
  const server = await startLoopbackServer(0, Object.assign({}, ...members.map(({ routes }) => routes)));
  const recover = () => {
    for (const member of members) member.recover();
  };
  return {
    partners: members.map(({ partner }) => partner),
    seed: async (table) => {
      const store = partnerStore(table);
      const endpoints = endpointStore(table);
      for (const { partner, endpointAt } of members) {
        const { login, secret, partnerId, offerIds } = partner;
        await store.saveAccount(
          newAccount({ login, partnerId, offerIds: [...offerIds] }, secret, Date.now()),
        );
        for (const offerId of offerIds) await store.saveOffer({ offerId, partnerId });
        await endpoints.save(endpointAt(server));
      }
    },
    recover,
    stop: async () => {
      recover();
      await server.stop();
    },
  };
}
