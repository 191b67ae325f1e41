import { gzipSync } from 'node:zlib';
import { createRng } from '../core/rng.ts';
import type { Load, Stage } from './load.ts';

/** Returns points that take about 45 bytes each when gzipped, since every id, address and position is different. */
export function pointsOf(count: number) {
  const rng = createRng('points of the forecast');
  return Array.from({ length: count }, (_, n) => ({
    itemId: `${100_000 + n}`,
    placeInfo: {
      name: 'Кофейня «Первая чашка»',
      address: `Москва, улица ${rng.between(1, 4_000)}, дом ${rng.between(1, 200)}`,
      schedule: 'ежедневно с 10:00 до 22:00',
      geoPoint: { lat: 55 + rng.between(0, 1_000_000) / 1e6, lng: 37 + rng.between(0, 1_000_000) / 1e6 },
    },
  }));
}
type Points = ReturnType<typeof pointsOf>;

/** Renames every hundredth point, or every `each`-th. */
export function changed(points: Points, each = 100): Points {
  return points.map(({ itemId, placeInfo }, n) =>
    n % each === 0 ? { itemId, placeInfo: { ...placeInfo, name: 'Новое имя' } } : { itemId, placeInfo },
  );
}

type Session = { status: string; errors: readonly unknown[] };

/** Sends a list and polls its session every second, as partners do. Returns the session and how many points failed. */
export async function sendList(
  { ask, alpha, sleep }: Stage,
  points: readonly object[],
): Promise<{ sessionId: string; failed: number }> {
  const body = gzipSync(JSON.stringify({ places: points }));
  const started = await ask(alpha, 'POST /places/sync', body);
  if (started.status !== 200) return { sessionId: '', failed: points.length };
  const { sessionId } = started.body as { sessionId: string };
  for (;;) {
    const { status, errors } = (await ask(alpha, `GET /places/sync/${sessionId}`)).body as Session;
    if (status === 'FINISHED') return { sessionId, failed: errors.length };
    await sleep(1_000);
  }
}

/** Sends a list. If `before` is given, that list is sent five minutes earlier. */
function listLoad(points: Points, before?: Points): Load {
  return {
    prepare: async (stage) => {
      if (!before) return;
      await sendList(stage, before);
      await stage.sleep(300_000);
    },
    run: async (stage) => {
      const { failed } = await sendList(stage, points);
      return { failed, latenciesMs: stage.requestsMs };
    },
  };
}

export const placeLists = {
  'list-10000-new': () => listLoad(pointsOf(10_000)),
  'list-10000-unchanged': () => listLoad(pointsOf(10_000), pointsOf(10_000)),
  'list-10000-1-percent': () => listLoad(changed(pointsOf(10_000)), pointsOf(10_000)),
  'list-100000-new': () => listLoad(pointsOf(100_000)),
};
