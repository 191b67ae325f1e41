import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Endpoints } from '../../local/service.ts';
import type { SyncCounts } from '../../shared/places/sync-session.ts';

export interface Session {
  readonly acceptedSeconds: number;
  readonly finishedSeconds: number;
  readonly counts: SyncCounts;
}

const deadlineSeconds = 300;

/** Sends a list as a partner would, gzipped, and polls until it is FINISHED. */
export async function syncList(
  { baseUrl, login, secret, offerId }: Endpoints,
  places: readonly unknown[],
): Promise<Session> {
  const authorization = `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;
  const headers = { authorization, offerId };
  const body = gzipSync(JSON.stringify({ places, confirmRemovals: true }));
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const response = await fetch(`${baseUrl}/places/sync`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body,
  });
  const acceptedSeconds = since();
  const { sessionId } = (await response.json()) as { sessionId?: string };
  if (!sessionId) throw new Error(`a list of ${places.length} was not accepted (${response.status})`);
  while (since() < deadlineSeconds) {
    const polled = await fetch(`${baseUrl}/places/sync/${sessionId}`, { headers });
    const { status, counts } = (await polled.json()) as { status: string; counts: SyncCounts };
    if (status === 'FINISHED') return { acceptedSeconds, finishedSeconds: since(), counts };
    await delay(50);
  }
  throw new Error(`a session of ${places.length} did not finish within ${deadlineSeconds} s`);
}
