import type { PushContent } from '../../../shared/push/sending/push-content.ts';
import { readPages } from '../../support/read-pages.ts';
import { news, storeBulk } from '../../support/store-bulk.ts';
import { selfServiceRig } from './self-service-rig.ts';

export type Page = {
  callbacks: { webhookId: string; time: string; body: string }[];
  cursor: string;
  more: boolean;
};

export const settled = 10_001;
const autumn = { utmSource: 'осень 👋', campaign: 9007199254740991 };

export async function feedRig() {
  const rig = await selfServiceRig();
  const read = async (query: Record<string, string> = {}, more = {}): Promise<Page> =>
    (await rig.ask('feed', undefined, { query, ...more })).body;
  /** Reads on until there is no more, and returns the ids of all callbacks. */
  const readAll = async (query: Record<string, string> = {}) => {
    const pages = await readPages((next) => read({ ...query, ...next }));
    const ids = pages.flatMap(({ callbacks }) => callbacks.map(({ webhookId }) => webhookId));
    return { ids, cursor: pages.at(-1)?.cursor ?? '' };
  };
  /** Reads all once the entries have been written for long enough to be shown. */
  const settledIds = async (query: Record<string, string> = {}) => {
    rig.clock.advance(settled);
    return (await readAll(query)).ids;
  };
  /** Stores a bulk send, whose messages may have a content each, and returns their ids. */
  const storeSend = (count: number, { each = false, utm = autumn as PushContent['utm'] } = {}) => {
    const contents = Array<PushContent>(each ? count : 1).fill({ ...news, utm });
    return storeBulk(rig.table, count, { acceptedAt: rig.clock.now(), contents });
  };
  const useFeed = () => rig.ask('put', { mode: 'feed' });
  const deliver = async (...ids: string[]) => {
    await rig.changeTogether(ids);
    await rig.work(rig.newWorker());
  };
  return { ...rig, read, readAll, settledIds, storeSend, useFeed, deliver };
}

export function told(ids: readonly string[]): string[] {
  return ids.map((id) => `${id}-DELIVERED`);
}
