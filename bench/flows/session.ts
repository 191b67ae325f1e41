import { gzipSync } from 'node:zlib';
import type { Endpoints } from '../../local/service.ts';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import type { SyncCounts } from '../../shared/places/sync-session.ts';

/** Sends a list as a partner would, gzipped, and polls until it is FINISHED. */
export async function syncList(service: Endpoints, places: readonly unknown[]) {
  const { baseUrl, login, secret, offerId } = service;
  const authorization = `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const body = gzipSync(JSON.stringify({ places, confirmRemovals: true }));
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const sending = { method: 'POST', headers: { ...headers, authorization, offerId }, body };
  const response = await fetch(`${baseUrl}/places/sync`, sending);
  const acceptedSeconds = since();
  const { sessionId } = (await response.json()) as { sessionId?: string };
  if (!sessionId) throw new Error(`a list of ${places.length} was not accepted (${response.status})`);
  const poll = async () => {
    const polled = await request({ baseUrl, login, secret, offerId }, `GET /places/sync/${sessionId}`);
    return polled.body as { status: string; counts: SyncCounts };
  };
  const { counts } = await eventually(`a session of ${places.length} is FINISHED`, poll, {
    until: ({ status }) => status === 'FINISHED',
    timeoutSeconds: 300,
  });
  return { acceptedSeconds, finishedSeconds: since(), counts };
}
