import type { Work } from '../../platform/logging/log.ts';
import { webhookId } from '../callback.ts';
import { type CallbackMessage, dueCallbacksOf } from '../callback-message.ts';
import { feedKeptMs } from '../feed/delivered-log.ts';
import { type Claimed, claim, measureWait } from './deliver.ts';
import type { DeliveryDeps } from './deps.ts';

/**
 * Delivers the callbacks of a message to the partner's feed: by one row, without circuit, pace and lanes. A callback that
 * waited loses its own row, because the feed has it now. If the worker dies in between, the feed has it twice.
 */
export async function deliverToFeed(deps: DeliveryDeps, message: CallbackMessage, work: Work): Promise<void> {
  const { partnerId: endpointId } = message;
  const claims = await Promise.all(dueCallbacksOf(message).map((due) => claim(deps, { message, due })));
  const claimed = claims.filter((one): one is Claimed => one !== undefined);
  if (claimed.length === 0) return work.addFields({ result: 'repeat' });
  for (const _one of claimed) measureWait(deps, message, work);
  await deps.delivered.add(endpointId, claimed, { keptMs: feedKeptMs });
  await Promise.all(claimed.map(async ({ row }) => row && deps.callbacks.remove(row)));
  work.addMetrics({ CallbacksDelivered: claimed.length });
  work.addFields({
    result: 'delivered',
    mode: 'feed',
    callbacks: claimed.length,
    delivered: claimed.map(({ callback }) => webhookId(callback)),
  });
}
