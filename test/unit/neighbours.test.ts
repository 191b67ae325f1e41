import { expect, test } from 'vitest';
import { distanceM, haveNeighbours } from '../../shared/places/remarks/distance.ts';
import { cpuOf } from '../support/cpu.ts';

test('distances are metres along the surface', () => {
  const metres = (lat: number, lng: number) => Math.round(distanceM({ lat: 55.7, lng: 37.6 }, { lat, lng }));
  expect([metres(55.701, 37.6), metres(55.7, 37.601), metres(55.7, 37.6)]).toEqual([111, 63, 0]);
});

test('rule 57: the neighbours within 75 m are those that comparing all pairs finds', () => {
  for (const latitude of [-33, 0, 55.7, 78]) {
    const width = 50 * Math.cos((latitude * Math.PI) / 180);
    const positions = Array.from({ length: 400 }, (_, n) => ({
      lat: latitude + ((n * 7_919) % 10_007) / 1_000_700,
      lng: 10 + ((n * n * 104_729) % 10_009) / 10_009 / width,
    }));
    const near = positions.map((one) =>
      positions.some((other) => other !== one && distanceM(one, other) <= 75),
    );
    expect([latitude, haveNeighbours(positions)]).toEqual([latitude, near]);
    expect(near.filter(Boolean).length).toBeGreaterThan(10);
    expect(near.filter((isNear) => !isNear).length).toBeGreaterThan(10);
  }
});

test('rule 57: points every 50 km around the equator, and one in the next row of cells, have no neighbours', () => {
  const at = (lat: number, km: number) => ({ lat, lng: -179.9 + km / 111.194_927 });
  const around = Array.from({ length: 799 }, (_, n) => at(0.0001, 50 * (n + 1)));
  expect(haveNeighbours([at(0.0006, 0), ...around]).filter(Boolean)).toEqual([]);
});

test('rule 57: two crowds 100 m apart are not compared with each other', async () => {
  const crowds = Array.from({ length: 20_000 }, (_, n) => ({ lat: 55.7 + (n % 2) * 0.0009, lng: 37.6 }));
  const [cpuMs, near] = await cpuOf(() => haveNeighbours(crowds));
  expect(near.every(Boolean)).toBe(true);
  expect(cpuMs).toBeLessThan(1_000);
});
