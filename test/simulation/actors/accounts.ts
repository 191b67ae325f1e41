import { createRng, type Rng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import { basic, codeOf, type Outcome } from './client.ts';
import { cachedMs, deskIds, type SimulatedPartner } from './partners.ts';

const roles = ['full', 'cash-desk', 'catalog', 'messages', 'observer'] as const;
type Role = (typeof roles)[number];

/** A request that a key may make. `at` is its place; `ofOffer` says that it is about an offer and not the partner. */
type Probe = {
  route: string;
  roles: readonly Role[];
  body?: object;
  at?: string;
  ofOffer?: true;
  /** Rule 50: it changes something that a key that has ended must not change for a moment. */
  changes?: true;
};

type Key = {
  partner: SimulatedPartner;
  login: string;
  role: Role;
  placeIds?: readonly string[];
  offerIds?: readonly string[];
};

const unknownId = '00000000-0000-4000-8000-000000000000';
const probes: readonly Probe[] = [
  { route: 'GET /keys/self', roles, ofOffer: true },
  { route: 'GET /promo/v1/all', roles: ['full', 'catalog', 'observer'] },
  { route: 'GET /places?limit=1', roles: ['full', 'catalog', 'observer'], ofOffer: true },
  { route: `GET /push/${unknownId}/transactional-state`, roles: ['full', 'messages', 'observer'] },
  { route: 'POST /callbacks/replay', roles: ['full'], body: { messageIds: [unknownId] }, changes: true },
];

/** Rules 31 and 50: returns what a key is told that has not ended. */
function expectedOf({ role, placeIds, offerIds }: Key, probe: Probe): string {
  if (!probe.roles.includes(role)) return 'ROLE_FORBIDDEN';
  if (offerIds && !probe.ofOffer) return 'OFFER_FORBIDDEN';
  if (placeIds && probe.at && !placeIds.includes(probe.at)) return 'PLACE_FORBIDDEN';
  return 'let in';
}

function verdictOf({ response }: Outcome): string {
  if (response?.status !== 403) return 'let in';
  return codeOf(response.body) || 'not let in';
}

/** Rules 1, 31, 50 and 63: partners make keys of every role, use them everywhere, rotate and retire their secrets. */
export function createAccounts({ partners, request, time }: World): Actor {
  const wrong = { keys: [] as string[], secrets: [] as string[] };
  let used = 0;

  /** Checks in at both desks, and returns requests to list and to redeem what is there. */
  const probesAt = async ({ cafe }: SimulatedPartner, card: string): Promise<Probe[]> => {
    const open: Pick<Probe, 'roles' | 'ofOffer'> = { roles: ['full', 'cash-desk'], ofOffer: true };
    const all = deskIds.map(async (at): Promise<Probe[]> => {
      const body = { offerId: cafe.offerId, placeId: at, cardNumber: card };
      const { response } = await request('POST /wallet/check-ins', { persistent: true }, body);
      const { checkinNumber } = (response?.body ?? {}) as { checkinNumber?: number };
      const list = `GET /partner/api/place/${encodeURIComponent(at)}/checkins`;
      const redeem = { ...open, route: 'POST /partner/api/checkin/register', body: { checkinNumber }, at };
      return [
        { ...open, route: list, roles: [...open.roles, 'observer'], at },
        ...(checkinNumber === undefined ? [] : [redeem]),
      ];
    });
    return (await Promise.all(all)).flat();
  };

  /** Makes requests with a secret that lives, or that ended at `endedAt`. */
  const use = async (
    key: Key,
    secret: string,
    { some, endedAt }: { some: readonly Probe[]; endedAt?: number },
  ): Promise<void> => {
    const options = {
      authorization: basic(key.login, secret),
      offerId: key.partner.cafe.offerId,
      persistent: true,
    };
    const uses = some.map(async (probe) => {
      const verdict = verdictOf(await request(probe.route, options, probe.body));
      const lives = expectedOf(key, probe);
      used += 1;
      const told = `${probe.route} with ${JSON.stringify({ ...key, partner: undefined })}: ${verdict}`;
      if (endedAt === undefined && verdict !== lives) wrong.keys.push(`${told} instead of ${lives}`);
      if (endedAt === undefined) return;
      const isOver = time.now() > endedAt + cachedMs && verdict !== 'not let in';
      if (isOver || (probe.changes && verdict === 'let in')) wrong.secrets.push(`${told} after its end`);
    });
    await Promise.all(uses);
  };

  const newKey = (rng: Rng, partner: SimulatedPartner) => {
    const role = rng.pick(roles);
    const isLimited = rng.happens(0.5);
    const places = role === 'cash-desk' && isLimited ? { placeIds: [rng.pick(deskIds)] } : {};
    const isOfOffer = role !== 'messages' && role !== 'cash-desk' && isLimited;
    return { role, ...places, ...(isOfOffer ? { offerIds: [partner.cafe.offerId] } : {}) };
  };

  /** The life of a key: it works, gets a second secret, loses the first one, and is deleted. */
  const story = async ({ who, variant }: Action): Promise<void> => {
    const partner = partners.of(who);
    const rng = createRng('accounts', variant);
    const options = { authorization: partner.authorization, persistent: true };
    const given = newKey(rng, partner);
    const { response } = await request('POST /keys', options, given);
    const { login = '', secret: first } = (response?.body ?? {}) as { login?: string; secret?: string };
    // The response that shows the secret was lost (rule 5), and the key cannot be used.
    if (!first) return void (await request(`DELETE /keys/${login}`, options));
    const key = { partner, login, ...given };
    const all = [...probes, ...(await probesAt(partner, `of ${login}`))];
    const some = () => [
      rng.pick(all as [Probe]),
      ...all.filter(({ at, changes }) => (at ?? changes) && rng.happens(0.5)),
    ];
    await use(key, first, { some: some() });
    let second: string | undefined;
    // A secret that nobody has seen gives way to another one (rule 63).
    for (let n = 0; n < 5 && !second; n++) {
      const rotated = await request(`POST /keys/${login}/rotate`, options, { replace: true });
      second = ((rotated.response?.body ?? {}) as { secret?: string }).secret;
    }
    if (!second) return;
    await use(key, first, { some: some() });
    await use(key, second, { some: some() });
    await request(`POST /keys/${login}/retire`, options);
    const endedAt = time.now();
    await use(key, first, { some: all, endedAt });
    await time.sleep(rng.between(0, 2) * cachedMs + 1_000);
    await use(key, first, { some: some(), endedAt });
    await use(key, second, { some: some() });
    await request(`DELETE /keys/${login}`, options);
    const deletedAt = time.now();
    await time.sleep(rng.between(0, 2) * cachedMs + 1_000);
    await use(key, second, { some: some(), endedAt: deletedAt });
  };

  return {
    does: { keys: story },
    ledger: () => [
      entry('rules 31 and 50: a key does what its role, its offers and its places allow', used, wrong.keys),
      entry('rules 1 and 50: what has ended changes nothing, and is soon not let in', used, wrong.secrets),
    ],
  };
}
