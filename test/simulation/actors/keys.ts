import { isDeepStrictEqual } from 'node:util';
import { createRng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { RowHistory } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';
import type { Keyed } from './client.ts';

/** The routes whose operation runs once per key (rule 5), with the part of the response that never changes. */
const doneOnce = new Map<string, (body: object) => unknown>([
  ['POST /push/delivery', (body) => body],
  ['POST /push/bulk/single', (body) => body],
  ['POST /push/bulk/multi', (body) => body],
  ['POST /partner/api/checkin/register', (body) => body],
  // The promotion's status depends on the time of the response.
  ['POST /promo/v1/create', (body) => (body as { promoId?: number }).promoId],
]);

/** Rule 5: the service remembers a key for 24 hours. */
const keptMs = 24 * 3_600_000;

/** What is kept of a response: everything but secrets. */
function withoutSecret(body: object): object {
  return 'secret' in body ? { ...body, secret: null } : body;
}

function otherBody(body: unknown): unknown {
  return Array.isArray(body) ? [...body, ...body] : { ...(body as object), isOther: true };
}

/** Describes the requests that had the key, in order. */
function whose(history: RowHistory): string {
  return JSON.stringify(history.map(({ atMs, row }) => [atMs, row?.pk, row?.['requestId']]));
}

/** Rule 5: clients use a key again, with the same request and with another one. */
export function createKeys({ partners, keyed, request, time, isCalm, histories }: World): Actor {
  const wrong: string[] = [];
  let asked = 0;
  /** With faults, it may take a client this long to get an answer. A request that comes too late would run again. */
  const answeredWithinMs = isCalm ? 60_000 : 2 * 3_600_000;
  const endOf = ({ startedAt }: Keyed): number => startedAt + keptMs - answeredWithinMs;

  const ask = async (one: Keyed, otherFirst: boolean): Promise<void> => {
    const { route, options, key, body, response } = one;
    if (time.now() > endOf(one)) return;
    const again = (asked: unknown) => request(route, { ...options, twice: false, key }, asked);
    const before = otherFirst && (await again(otherBody(body)));
    const same = await again(body);
    const other = before || (await again(otherBody(body)));
    asked += 2;
    // With faults, the response may not have been saved under the key. Then the request runs again.
    const said = isCalm ? withoutSecret : (doneOnce.get(route) ?? (() => ''));
    const expected = JSON.stringify(said(response.body as object));
    const isSame =
      same.response?.status === 200 && JSON.stringify(said(same.response.body as object)) === expected;
    if (!isSame || (isCalm && !same.response?.isReplay))
      wrong.push(`${route}: ${JSON.stringify(same.response)} instead of ${expected}`);
    if (other.response?.status !== 422)
      wrong.push(`${route}: ${JSON.stringify(other.response)} for another body`);
  };

  const follow = async ({ who, variant }: Action): Promise<void> => {
    const { authorization } = partners.of(who);
    const rng = createRng('keys', variant);
    await time.sleep(rng.between(30_000, 80_000));
    const isAsked = ({ route, options, body }: Keyed) =>
      options.authorization === authorization && body !== undefined && (isCalm || doneOnce.has(route));
    const some = keyed.filter(isAsked).slice(-4);
    for (const one of some) await ask(one, rng.happens(0.5));
    await time.sleep(rng.between(60_000, 3_600_000));
    for (const one of some) await ask(one, false);
    const [first] = some;
    if (!first || rng.happens(0.7)) return;
    await time.sleep(endOf(first) - time.now());
    await ask(first, false);
  };

  return {
    does: {
      'single push': follow,
      'bulk push': follow,
      'multi push': follow,
      'check-in': follow,
      promotion: follow,
      'list of places': follow,
    },
    ledger: () => {
      const rows = histories('idempotency key');
      const replaced = rows.filter((history) => {
        const [first, ...later] = history.flatMap(({ row }) => row?.['savedResponse'] ?? []);
        return later.some((response) => !isDeepStrictEqual(response, first));
      });
      return [
        entry('rule 5: a key has one answer, and takes no other request', asked, wrong),
        entry('rule 5: an answer that is kept under a key stays', rows.length, replaced.map(whose)),
      ];
    },
  };
}
