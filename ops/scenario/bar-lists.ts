import type { Place } from '../../shared/places/place.ts';
import { moscowBars } from './data/moscow-bars.ts';
import type { SyncScript } from './sync-act.ts';

/** Area A on real data: the whole list, 40 changes to it, and the same list once more. */
export function barLists(): SyncScript {
  const bars = moscowBars();
  const changed = withFortyChanges(bars);
  return {
    title: 'A. A partner synchronises its service points (533 bars of Moscow)',
    patience: { seconds: 60, pollMs: 100 },
    lists: [
      // Whatever was there before, the story begins with one point that then goes.
      { what: 'a list of one, to begin from', places: [beginning] },
      { what: 'the whole list', places: bars, counts: { received: 533, added: 533, removed: 1 } },
      {
        what: '40 changes',
        places: changed,
        counts: { received: 533, added: 10, updated: 15, removed: 10, unchanged: 503, rejected: 5 },
      },
      {
        what: 'the same again',
        places: changed,
        counts: { received: 533, unchanged: 528, rejected: 5 },
      },
    ],
  };
}

const beginning: Place = { itemId: 'opening-soon', placeInfo: { address: 'Скоро открытие' } };

/** 10 points go, 15 get a new name, 5 lose their address (and are rejected), 10 are new. */
function withFortyChanges(bars: readonly Place[]): unknown[] {
  return [
    ...bars
      .slice(10, 25)
      .map((bar) => ({ ...bar, placeInfo: { ...bar.placeInfo, name: `${bar.placeInfo.name} (новое имя)` } })),
    ...bars.slice(25, 30).map(({ itemId, placeInfo: { name } }) => ({ itemId, placeInfo: { name } })),
    ...bars.slice(30),
    ...Array.from({ length: 10 }, (_, n) => ({
      itemId: `new-${n}`,
      placeInfo: { name: `Новый бар ${n}`, address: `Тверская улица, дом ${n + 1}` },
    })),
  ];
}
