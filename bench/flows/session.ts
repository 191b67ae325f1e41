import { gzipSync } from 'node:zlib';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import type { SyncCounts } from '../../shared/places/sync-session.ts';
import { type Actors, must } from './actors.ts';

/** Sends a list as a partner would, gzipped, and polls until it is FINISHED. */
export async function syncList({ partner }: Actors, places: readonly unknown[]) {
  const body = gzipSync(JSON.stringify({ places, confirmRemovals: true }));
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const accepted = await must(partner, 'POST /places/sync', body);
  const acceptedSeconds = since();
  const { sessionId } = accepted.body as { sessionId: string };
  const poll = async () => {
    const polled = await request(partner, `GET /places/sync/${sessionId}`);
    return polled.body as { status: string; counts: SyncCounts };
  };
  const { counts } = await eventually(`a session of ${places.length} is FINISHED`, poll, {
    until: ({ status }) => status === 'FINISHED',
    timeoutSeconds: 300,
  });
  return { acceptedSeconds, finishedSeconds: since(), counts };
}
