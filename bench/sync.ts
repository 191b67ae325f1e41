import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { buildAssembly, isStale } from '../local/build-assembly.ts';
import { silentLog } from '../local/log.ts';
import { type Endpoints, startLocalService } from '../local/service.ts';
import type { SyncCounts } from '../shared/places/sync-session.ts';

const help = `Times synchronisation sessions of generated lists on a service of its own, through HTTP.

  npm run bench:sync                    10,000 places: new, unchanged, 1 % changed
  npm run bench:sync -- 1000 100000     other sizes, one after the other
`;

const deadlineMs = 300_000;

type Point = { itemId: string; placeInfo: Record<string, unknown> };

const list = (size: number): Point[] =>
  Array.from({ length: size }, (_, n) => ({
    itemId: `точка-${String(n).padStart(6, '0')}`,
    placeInfo: {
      name: `Кофейня «Первая чашка» № ${n}`,
      address: `город Москва, улица ${n % 997}-я Парковая, дом ${n % 211}, строение ${n % 7}`,
      schedule: 'ежедневно с 10:00 до 22:00',
      type: 'кофейня',
      phones: [{ type: 'main', number: `(495) ${100 + (n % 900)}-${10 + (n % 90)}-${10 + (n % 89)}` }],
      geoPoint: { lat: 55.5 + (n % 5_000) / 10_000, lng: 37.3 + (n % 6_000) / 10_000 },
    },
  }));

const sync = async (service: Endpoints, what: string, places: Point[]): Promise<void> => {
  const headers = {
    authorization: `Basic ${Buffer.from(`${service.login}:${service.secret}`).toString('base64')}`,
    offerId: service.offerId,
  };
  const body = gzipSync(JSON.stringify({ places }));
  const startedAt = performance.now();
  const response = await fetch(`${service.baseUrl}/places/sync`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body,
  });
  const acceptedMs = performance.now() - startedAt;
  const { sessionId } = (await response.json()) as { sessionId?: string };
  if (!sessionId) throw new Error(`${what}: the list was not accepted (${response.status})`);
  const counts = await finished(`${service.baseUrl}/places/sync/${sessionId}`, headers, startedAt);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`.padStart(9);
  const figures = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  console.log(
    `${what.padEnd(28)} ${(body.length / 1e6).toFixed(2).padStart(6)} MB gzip  accepted ${seconds(acceptedMs)}  ` +
      `finished ${seconds(performance.now() - startedAt)}  ${figures.join(', ')}`,
  );
};

const finished = async (
  url: string,
  headers: Record<string, string>,
  startedAt: number,
): Promise<SyncCounts> => {
  while (performance.now() - startedAt < deadlineMs) {
    const session = (await (await fetch(url, { headers })).json()) as { status: string; counts: SyncCounts };
    if (session.status === 'FINISHED') return session.counts;
    await delay(100);
  }
  throw new Error(`the session did not finish within ${deadlineMs / 1_000} s`);
};

const bench = async (sizes: number[]): Promise<void> => {
  if (isStale('cdk.out')) await buildAssembly();
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-bench-'));
  const service = await startLocalService({ port: 0, stateDir, assemblyDir: 'cdk.out', log: silentLog });
  try {
    for (const size of sizes) {
      const places = list(size);
      const changed = places.map((place, n) =>
        n % 100 === 0 ? { ...place, placeInfo: { ...place.placeInfo, name: 'Новое имя' } } : place,
      );
      const named = size.toLocaleString('en');
      await sync(service.endpoints, `${named} new`, places);
      await sync(service.endpoints, `${named} unchanged`, places);
      await sync(service.endpoints, `${named}, 1 % changed`, changed);
      await sync(service.endpoints, 'all but one removed', places.slice(0, 1));
    }
  } finally {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
};

const sizes = process.argv.slice(2).map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 1)) console.log(help);
else await bench(sizes.length > 0 ? sizes : [10_000]);
process.exit(0);
