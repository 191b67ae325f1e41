import { setTimeout as delay } from 'node:timers/promises';
import { type Key, promotionItemKey, promotionKey, promotionsPartition } from '../../../shared/table/keys.ts';
import { type ApiCaller, callApi } from './api-call.ts';
import type { Connection } from './connection.ts';
import { entry, type Ledger } from './ledger.ts';
import type { Rng } from './rng.ts';

interface PromotionFlow {
  readonly caller: Omit<ApiCaller, 'persistent'>;
  readonly rng: Rng;
  readonly isRunning: () => boolean;
}

/** A promotion that its partner knows of, and the names it may have by what was answered. */
interface KnownPromotion {
  readonly promoId: number;
  readonly names: readonly string[];
}

/** Area D under faults: promotions are created, and renamed once or twice. */
export async function promotionFlow({ caller, rng, isRunning }: PromotionFlow): Promise<KnownPromotion[]> {
  const known: KnownPromotion[] = [];
  for (let n = 0; isRunning(); n++) {
    const created = await callApi({ ...caller, persistent: rng.happens(0.7) }, 'POST /promo/v1/create', {
      name: `promotion ${n}`,
      startDate: '2026-01-01T00:00:00+03',
    });
    if (created.reply?.status !== 200) continue;
    const { promoId } = created.reply.body as { promoId: number };
    let names = [`promotion ${n}`];
    for (let renaming = rng.between(0, 3); renaming > 0; renaming--) {
      const name = `promotion ${n} renamed ${renaming}`;
      const body = { promoId, name };
      const { reply, uncertain } = await callApi(
        { ...caller, persistent: rng.happens(0.7) },
        'POST /promo/v1/update',
        body,
      );
      if (reply?.status === 200) names = [name];
      else if (uncertain) names = [...names, name];
    }
    known.push({ promoId, names });
    await delay(50);
  }
  return known;
}

/** Compares what was answered with the two rows of each promotion. */
export async function promotionLedger(
  known: readonly KnownPromotion[],
  partnerId: string,
  connection: Connection,
): Promise<Ledger> {
  const rows = await connection.rows(promotionsPartition(partnerId));
  const nameBySort = new Map(rows.map(({ sk, name }) => [sk, String(name)]));
  const number = (sk: string) => Number(sk.slice(sk.indexOf('#') + 1));
  const nameOf = ({ sk }: Key) => nameBySort.get(sk);
  const halves = rows
    .filter(
      ({ sk }) =>
        nameOf(promotionKey(partnerId, number(sk))) !== nameOf(promotionItemKey(partnerId, number(sk))),
    )
    .map(({ sk }) => sk);
  const wrong = known
    .filter(({ promoId, names }) => {
      const name = nameOf(promotionKey(partnerId, promoId));
      return name === undefined || !names.includes(name);
    })
    .map(({ promoId }) => `promotion ${promoId}`);
  return {
    entries: [
      entry('promotions are stored as they were answered', known.length, wrong),
      entry('both rows of a promotion say the same', rows.length, halves),
    ],
    figures: [],
  };
}
