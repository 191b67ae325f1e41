import { expect, test } from 'vitest';
import { haveNeighbours } from '../../shared/places/remarks/distance.ts';

test('rule 57: a cell map finds the neighbours that comparing all pairs finds', () => {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 48_271) >>> 0) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const metres = (a: { lat: number; lng: number }, b: { lat: number; lng: number }) => {
    const north = (a.lat - b.lat) * 111_194.9;
    const east = (a.lng - b.lng) * 111_194.9 * Math.cos((a.lat * Math.PI) / 180);
    return Math.hypot(north, east);
  };
  for (const latitude of [-33, 0, 55.7, 78]) {
    const width = 50 * Math.cos((latitude * Math.PI) / 180);
    const positions = Array.from({ length: 400 }, () => ({
      lat: latitude + random() / 100,
      lng: 10 + random() / width,
    }));
    const nearest = positions.map((one) =>
      Math.min(...positions.filter((other) => other !== one).map((other) => metres(one, other))),
    );
    const near = haveNeighbours(positions);
    // The distance on a plane is not exact to the centimetre.
    const wrong = nearest.filter((distance, n) => Math.abs(distance - 75) > 0.1 && distance < 75 !== near[n]);
    expect([latitude, wrong]).toEqual([latitude, []]);
    expect(near.filter(Boolean).length).toBeGreaterThan(10);
    expect(near.filter((isNear) => !isNear).length).toBeGreaterThan(10);
  }
});

test('rule 57: two crowds 100 m apart are not compared with each other', () => {
  const crowds = Array.from({ length: 20_000 }, (_, n) => ({ lat: 55.7 + (n % 2) * 0.0009, lng: 37.6 }));
  const before = process.cpuUsage();
  expect(haveNeighbours(crowds).every(Boolean)).toBe(true);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});
