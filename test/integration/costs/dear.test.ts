import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { startSyncOperation } from '/work/main/functions/places/start-sync.ts';
import { by } from '/work/main/test/integration/costs/cost-partner.ts';
import { costRig } from '/work/main/test/integration/costs/cost-rig.ts';

const names = Array.from({ length: 4000 }, (_, n) => `m${n}`);
function body(objs: number, members: number) {
  const parts: string[] = [];
  for (let i = 0; i < objs; i++) {
    const m: string[] = [];
    for (let j = 0; j < members; j++) m.push(`"${names[(i * members + j) % 4000]}":0`);
    parts.push(`{${m.join(',')}}`);
  }
  return `{"places":[${parts.join(',')}]}`;
}
function body2(objs: number, members: number) {
  const parts: string[] = [];
  let x = 1;
  for (let i = 0; i < objs; i++) {
    const m: string[] = [];
    for (let j = 0; j < members; j++) {
      x = (x * 1103515245 + 12345) % 2147483648;
      m.push(`"${names[(i * 7 + j * (1 + (i % 97))) % 4000]}":0`);
    }
    parts.push(`{${m.join(',')}}`);
  }
  return `{"places":[${parts.join(',')}]}`;
}
test('x', async () => {
  const rig = await costRig();
  for (const [w, b] of [
    ['99,900 x 39', body(99_900, 39)],
    ['12,000 x 39', body(12_000, 39)],
    ['one of 4000 each plus 37 random', body2(99_900, 38)],
    ['distinct shapes 4MB', body2(10_000, 38)],
  ] as const) {
    const r = await rig.measure(
      startSyncOperation as never,
      {
        worst: w,
        request: () => ({ ...by('bars'), body: b }),
        units: { read: 0, write: 3 },
        cpu: { ms: 100000, because: '' },
      } as never,
    );
    console.log(
      w,
      (b.length / 1e6).toFixed(1),
      'MB gz',
      (gzipSync(b).length / 1e3).toFixed(0),
      'kB',
      r.status,
      r.cpuMs.toFixed(0),
      'parse',
      r.parseMs.toFixed(0),
    );
  }
  await rig.stop();
}, 300_000);
