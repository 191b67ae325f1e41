import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import type { SignedRequest } from '../../../shared/platform/egress/signed-request.ts';
import type { createPartners } from './partners.ts';

/** One call of a partner's endpoint as its caller knows it. `result` is missing if the caller ended first. */
export type Exchange = {
  partnerId: string;
  webhookId: string;
  startedAt: number;
  endedAt?: number;
  result?: AttemptResult;
};

type Parts = { partners: ReturnType<typeof createPartners>; now: () => number };

/** Records every call of an endpoint and its result as the caller sees them, even if the call never arrived. */
export function recordExchanges({ partners, now }: Parts) {
  const exchanges: Exchange[] = [];
  return {
    /** Sorted by when the calls began. */
    exchanges: exchanges as readonly Exchange[],
    receive: async (request: SignedRequest): Promise<AttemptResult> => {
      const partnerId = partners.ofUrl(request.url)?.partnerId ?? '';
      const exchange = { partnerId, webhookId: request.headers['webhook-id'] ?? '', startedAt: now() };
      exchanges.push(exchange);
      const result = await partners.receive(request);
      // Without a socket, no call was made.
      if (!result.ok && result.error === 'local') exchanges.splice(exchanges.indexOf(exchange), 1);
      return Object.assign(exchange, { endedAt: now(), result }).result;
    },
  };
}
