import { gzipSync } from 'node:zlib';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import type { SyncCounts } from '../../shared/places/list-plan.ts';
import { type Actors, must } from './actors.ts';

/** A service point of about 0.4 kB of JSON, different for each `n`. */
export function placeAt(n: number) {
  return {
    itemId: `точка-${String(n).padStart(6, '0')}`,
    placeInfo: {
      name: `Кофейня «Первая чашка» № ${n}`,
      address: `город Москва, улица ${n % 997}-я Парковая, дом ${n % 211}, строение ${n % 7}`,
      schedule: 'ежедневно с 10:00 до 22:00',
      type: 'кофейня',
      phones: [{ type: 'main', number: `(495) ${100 + (n % 900)}-${10 + (n % 90)}-${10 + (n % 89)}` }],
      geoPoint: { lat: 55.5 + (n % 5_000) / 10_000, lng: 37.3 + (n % 6_000) / 10_000 },
    },
  };
}

export function placeList(count: number) {
  return Array.from({ length: count }, (_, n) => placeAt(n));
}

/** The same list with another name for one place in a hundred. */
export function onePercentChanged(places: ReturnType<typeof placeList>) {
  return places.map((place, n) =>
    n % 100 === 0 ? { ...place, placeInfo: { ...place.placeInfo, name: 'Новое имя' } } : place,
  );
}

/** Sends a list as a partner would, gzipped, and polls until it is FINISHED. Returns seconds since the request. */
export async function syncList({ partner }: Actors, places: readonly unknown[]) {
  const body = gzipSync(JSON.stringify({ places, confirmRemovals: true }));
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const reply = await must(partner, 'POST /places/sync', body);
  const accepted = since();
  const { sessionId } = reply.body as { sessionId: string };
  const poll = async () => {
    const polled = await request(partner, `GET /places/sync/${sessionId}`);
    return polled.body as { status: string; counts: SyncCounts };
  };
  const { counts } = await eventually(`a session of ${places.length} is FINISHED`, poll, {
    until: ({ status }) => status === 'FINISHED',
    timeoutSeconds: 300,
  });
  return { accepted, finished: since(), counts };
}
