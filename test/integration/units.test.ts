import { expect, test } from 'vitest';
import { moscowBars } from '../../ops/scenario/data/moscow-bars.ts';
import { checkInRig } from './check-ins/check-in-rig.ts';
import { syncRig } from './places/sync-rig.ts';

const bars = moscowBars();

test('units of syncing 533 real places: new, unchanged and with 40 changes', async () => {
  const rig = await syncRig();
  const unitsOf = async (list: unknown[]) => {
    rig.clock.advance(20_000);
    rig.table.units();
    await rig.sync(list);
    const { read, write } = rig.table.units();
    return { read, write };
  };
  // Writes besides the places: the session, the record of what its list does, its end; if it changes something its event and
  // the names of what it changes, of which 100 at most are read.
  // Rejected elements are a row.
  expect(await unitsOf(bars)).toEqual({ read: 5.5, write: 540 });
  expect(await unitsOf(bars)).toEqual({ read: 45, write: 3 });
  const changed = [
    ...bars.slice(10, 25).map((bar) => ({ ...bar, placeInfo: { ...bar.placeInfo, name: 'Новое имя' } })),
    ...bars.slice(25, 30).map(({ itemId }) => ({ itemId, placeInfo: {} })),
    ...bars.slice(30),
    ...Array.from({ length: 10 }, (_, n) => ({
      itemId: `new-${n}`,
      placeInfo: { address: 'Тверская улица' },
    })),
  ];
  expect(await unitsOf(changed)).toEqual({ read: 61, write: 43 });
});

test('units of a check-in: opened, listed with 5 active, redeemed', async () => {
  const rig = await checkInRig();
  for (const card of ['1', '2', '3', '4']) await rig.opened(`964390750000001${card}`);
  rig.table.units();
  await rig.opened('9643907500000015');
  expect(rig.table.units()).toMatchObject({ read: 2.5, write: 3 });
  await rig.list();
  expect(rig.table.units()).toMatchObject({ read: 1, write: 0 });
  await rig.register(1);
  expect(rig.table.units()).toMatchObject({ read: 2, write: 2 });
});
