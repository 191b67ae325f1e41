import { type BuiltService, onBuiltService } from '../built-service.ts';
import { median, middle } from '../measure.ts';
import { onOwnService } from '../own-service.ts';
import type { ListedPlace } from '../place-list.ts';
import type { Figure, Section } from '../section.ts';
import { writePlainly } from '../sync/write-plainly.ts';
import { type BulkTimes, oneBulk } from './one-bulk.ts';
import { registerPhones } from './phones.ts';

const roundsOf: Readonly<Record<number, number>> = { 100: 3, 1000: 3, 10000: 2 };

interface Round extends BulkTimes {
  readonly plain: number;
}

/** What a row for each recipient would hold. */
function rowPerRecipient(msisdn: readonly number[]): ListedPlace[] {
  return msisdn.map((number, n) => ({
    itemId: `message-${n}`,
    placeInfo: { msisdn: number, partnerId: 'bars', state: 'ENQUEUED', acceptedAt: 1_779_278_400_000 },
  }));
}

/** A service of its own for each round: an engine's stream gets slower as it grows. */
function round(built: BuiltService, size: number, plainFirst: boolean): Promise<Round> {
  return onOwnService(built, async ({ endpoints }) => {
    const msisdn = await registerPhones(endpoints, size);
    const write = () => writePlainly(endpoints, rowPerRecipient(msisdn));
    const plainBefore = plainFirst ? await write() : undefined;
    const times = await oneBulk(endpoints, msisdn);
    return { ...times, plain: plainBefore ?? (await write()) };
  });
}

function figuresOf(size: number, rounds: readonly Round[]): Figure[] {
  const named = size.toLocaleString('en');
  const baseline = { what: `${named} rows written`, median: median(rounds.map(({ plain }) => plain)) };
  const figure = (what: string, secondsOf: (round: Round) => number, more: Partial<Figure> = {}): Figure => {
    const values = rounds.map(secondsOf);
    return {
      what: `bulk of ${named}, ${what}`,
      unit: 's',
      ...middle(values),
      series: { of: `bulk send, ${what}`, size },
      ...more,
    };
  };
  return [
    figure('answered', ({ answered }) => answered, { baseline }),
    figure('all taken by the wallet platform', ({ shown }) => shown, { baseline }),
    figure('all delivered, opened and called back', ({ calledBack }) => calledBack, { baseline }),
  ];
}

export const pushSection: Section = {
  name: 'push',
  about:
    'bulk sends of 100, 1,000 and 10,000 to the last callback; the answer against a row for each recipient',
  run: (say) =>
    onBuiltService(async (built) => {
      const figures: Figure[] = [];
      for (const [size, count] of Object.entries(roundsOf)) {
        const rounds: Round[] = [];
        for (let n = 0; n < count; n++) {
          say(`${Number(size).toLocaleString('en')} recipients, round ${n + 1} of ${count}`);
          rounds.push(await round(built, Number(size), n % 2 === 0));
        }
        figures.push(...figuresOf(Number(size), rounds));
      }
      return figures;
    }),
};
