import { expect, test } from 'vitest';
import { haveNeighbours } from '../../shared/places/remarks/distance.ts';

test('rule 57: two crowds 100 m apart are not compared with each other', () => {
  const crowds = Array.from({ length: 20_000 }, (_, n) => ({ lat: 55.7 + (n % 2) * 0.0009, lng: 37.6 }));
  const before = process.cpuUsage();
  expect(haveNeighbours(crowds).every(Boolean)).toBe(true);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});
