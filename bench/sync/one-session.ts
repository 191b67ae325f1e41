import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Endpoints } from '../../local/service.ts';
import type { SyncCounts } from '../../shared/places/sync-session.ts';

export interface Session {
  readonly acceptedSeconds: number;
  readonly finishedSeconds: number;
  readonly counts: SyncCounts;
}

const deadlineMs = 300_000;

/** Sends a list as a partner would, gzipped, and polls until it is FINISHED. */
export async function oneSession(service: Endpoints, places: readonly unknown[]): Promise<Session> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${service.login}:${service.secret}`).toString('base64')}`,
    offerId: service.offerId,
  };
  const body = gzipSync(JSON.stringify({ places }));
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const response = await fetch(`${service.baseUrl}/places/sync`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body,
  });
  const acceptedSeconds = since();
  const { sessionId } = (await response.json()) as { sessionId?: string };
  if (!sessionId) throw new Error(`a list of ${places.length} was not accepted (${response.status})`);
  const url = `${service.baseUrl}/places/sync/${sessionId}`;
  while (performance.now() - startedAt < deadlineMs) {
    const session = (await (await fetch(url, { headers })).json()) as { status: string; counts: SyncCounts };
    if (session.status === 'FINISHED')
      return { acceptedSeconds, finishedSeconds: since(), counts: session.counts };
    await delay(50);
  }
  throw new Error(`a session of ${places.length} did not finish within ${deadlineMs / 1_000} s`);
}
