import { type BuiltService, onBuiltService } from '../built-service.ts';
import { median, middle } from '../measure.ts';
import { onOwnService } from '../own-service.ts';
import { type ListedPlace, onePercentChanged, placeList } from '../place-list.ts';
import type { Figure, Section } from '../section.ts';
import { oneSession, type Session } from './one-session.ts';
import { writePlainly } from './write-plainly.ts';

type Sizes = Readonly<Record<string, number>>;

/** Rounds by size. */
const usual: Sizes = { 100: 5, 1000: 5, 10000: 3 };
const large: Sizes = { 100000: 1 };

interface Round {
  readonly fresh: Session;
  readonly unchanged: Session;
  readonly changed: Session;
  readonly plain: number;
}

/** A service of its own for each round: an engine's stream gets slower as it grows. */
function round(built: BuiltService, places: readonly ListedPlace[], plainFirst: boolean): Promise<Round> {
  return onOwnService(built, async ({ endpoints }) => {
    const plainBefore = plainFirst ? await writePlainly(endpoints, places) : undefined;
    const fresh = await oneSession(endpoints, places);
    const unchanged = await oneSession(endpoints, places);
    const changed = await oneSession(endpoints, onePercentChanged(places));
    const plain = plainBefore ?? (await writePlainly(endpoints, places));
    const expected = {
      added: fresh.counts.added,
      unchanged: unchanged.counts.unchanged,
      updated: changed.counts.updated,
    };
    const right = { added: places.length, unchanged: places.length, updated: Math.ceil(places.length / 100) };
    if (JSON.stringify(expected) !== JSON.stringify(right))
      throw new Error(`wrong counts: ${JSON.stringify(expected)}`);
    return { fresh, unchanged, changed, plain };
  });
}

function figuresOf(size: number, rounds: readonly Round[]): Figure[] {
  const named = size.toLocaleString('en');
  const baseline = { what: `${named} plain writes`, median: median(rounds.map(({ plain }) => plain)) };
  const figure = (what: string, secondsOf: (round: Round) => number, more: Partial<Figure> = {}): Figure => {
    const values = rounds.map(secondsOf);
    const series = { of: `places ${what}`, size };
    return {
      what: `${named} ${what}`,
      unit: 's',
      ...middle(values),
      series,
      ...more,
    };
  };
  const strict = size === 10_000;
  return [
    figure('new, accepted', ({ fresh }) => fresh.acceptedSeconds, {
      baseline,
      ...(strict ? { budget: { of: 'median', atMost: 1 } } : {}),
    }),
    figure('new, finished', ({ fresh }) => fresh.finishedSeconds, {
      baseline,
      ...(strict ? { budget: { of: 'median', atMost: 30 } } : {}),
    }),
    figure('unchanged, finished', ({ unchanged }) => unchanged.finishedSeconds, { baseline }),
    figure('1 % changed, finished', ({ changed }) => changed.finishedSeconds, { baseline }),
  ];
}

function measure(say: (progress: string) => void, sizes: Sizes): Promise<Figure[]> {
  return onBuiltService(async (built) => {
    const figures: Figure[] = [];
    for (const [size, count] of Object.entries(sizes)) {
      const places = placeList(Number(size));
      const rounds: Round[] = [];
      for (let n = 0; n < count; n++) {
        say(`${Number(size).toLocaleString('en')} places, round ${n + 1} of ${count}`);
        rounds.push(await round(built, places, n % 2 === 0));
      }
      figures.push(...figuresOf(Number(size), rounds));
    }
    return figures;
  });
}

export const syncSection: Section = {
  name: 'sync',
  about: 'sessions of 100, 1,000 and 10,000 places: new, unchanged, 1 % changed; against writing every place',
  run: (say) => measure(say, usual),
};

export const largeSyncSection: Section = {
  name: 'sync-large',
  about: 'the same with 100,000 places, once',
  onlyWhenNamed: true,
  run: (say) => measure(say, large),
};
