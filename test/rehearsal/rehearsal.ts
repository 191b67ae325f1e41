import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { capacityMeter } from '../../ops/data-lifecycle/capacity-meter.ts';
import { eraseRecipient } from '../../ops/data-lifecycle/erase-recipient.ts';
import { type Differences, restoreTable } from '../../ops/data-lifecycle/restore-table.ts';
import { checkInStore } from '../../shared/check-ins/check-in.ts';
import type { Row } from '../../shared/platform/table/batches.ts';
import { placesPartition } from '../../shared/platform/table/row-keys/places.ts';
import { promotionKey } from '../../shared/platform/table/row-keys/promotions.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { copyTable, rowsOf } from './copy-table.ts';
import { addPromotion, fillPartner, openCheckIn, type Sample } from './sample-partner.ts';

type Step = {
  what: string;
  rows: number;
  ms: number;
};

export type Rehearsal = {
  steps: readonly Step[];
  /** Keys of rows that differ from the time before the damage, each with the difference. */
  wrong: readonly string[];
  /** How many rows a second run of the restore still wrote. */
  leftToDo: number;
};

type Options = {
  places: number;
  nowMs: number;
  /** Lets a test damage the table again, to see the rehearsal fail. */
  breakAfterwards?: (live: Table) => Promise<void>;
};

function samples({ places, nowMs }: Options): [Sample, Sample] {
  return [
    { partnerId: 'bars', offerId: 'bars-of-moscow', firstNumber: 79_000_000_000, places, nowMs },
    { partnerId: 'bakery', offerId: 'bakery-club', firstNumber: 79_500_000_000, places: 20, nowMs },
  ];
}

/**
 * Fills the table, copies it as point-in-time recovery would, lets the service continue, damages the table, restores it
 * from the copy, and compares every row with the row right before the damage.
 */
export async function rehearse(live: Table, options: Options): Promise<Rehearsal> {
  const [bars, bakery] = samples(options);
  const steps: Step[] = [];
  const step = async (what: string, work: () => Promise<number>): Promise<void> => {
    const startedAt = performance.now();
    const rows = await work();
    steps.push({ what, rows, ms: Math.round(performance.now() - startedAt) });
  };
  let copy: Table = live;
  await step('filled with two partners', async () => {
    await fillPartner(live, bars);
    await fillPartner(live, bakery);
    return (await rowsOf(live)).length;
  });
  await step('copied, as point-in-time recovery would', async () => {
    copy = await copyTable(live, `${live.name}-restored`);
    return (await rowsOf(copy)).length;
  });
  await step('changed by the service since', () => goOn(live, bars));
  const ledger = await rowsOf(live);
  await step('deleted: service points of bars', () => deletePlaces(live, bars));
  await step('overwritten: promotions of bakery', () => spoilPromotions(live, bakery));
  const restored = () => restoreBoth({ copy, live }, [bars, bakery], options.nowMs);
  await step('restored', restored);
  const again = await restored();
  await options.breakAfterwards?.(live);
  let wrong: string[] = [];
  await step('compared with the ledger, row by row', async () => {
    wrong = compareWithLedger(ledger, await rowsOf(live));
    return ledger.length;
  });
  return { steps, wrong, leftToDo: again };
}

/** Opens a check-in, redeems one, adds a promotion and erases a number. The restore must keep all of these changes. */
async function goOn(live: Table, bars: Sample): Promise<number> {
  const before = new Map((await rowsOf(live)).map((row) => [idOf(row), row]));
  await checkInStore(live).redeem(bars.offerId, 1, { by: 'later', nowMs: bars.nowMs });
  await openCheckIn(live, bars, '9643907500000038');
  await addPromotion(live, bars, 'Added since');
  await eraseRecipient(live, capacityMeter(live, Number.MAX_SAFE_INTEGER), {
    msisdn: bars.firstNumber,
    dryRun: false,
  });
  const after = new Map((await rowsOf(live)).map((row) => [idOf(row), row]));
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => !isDeepStrictEqual(before.get(key), after.get(key))).length;
}

async function deletePlaces(live: Table, { offerId }: Sample): Promise<number> {
  const places = (await rowsOf(live)).filter(({ pk }) => pk === placesPartition(offerId));
  for (const { pk, sk } of places)
    await live.client.send(new DeleteCommand({ TableName: live.name, Key: { pk, sk } }));
  return places.length;
}

async function spoilPromotions(live: Table, { partnerId }: Sample): Promise<number> {
  for (const promoId of [1, 2]) {
    await live.client.send(
      new UpdateCommand({
        TableName: live.name,
        Key: promotionKey(partnerId, promoId),
        UpdateExpression: 'SET description = :none, discount = :wrong REMOVE startsAt',
        ExpressionAttributeValues: { ':none': '', ':wrong': '0 %' },
      }),
    );
  }
  return 2;
}

/** Restores one partner and kind at a time, as an operator would, so that nothing else is set back. */
async function restoreBoth(
  tables: { copy: Table; live: Table },
  [bars, bakery]: readonly [Sample, Sample],
  nowMs: number,
): Promise<number> {
  const meters = { ...tables, meter: capacityMeter(tables.live, Number.MAX_SAFE_INTEGER) };
  const run = ({ partnerId, offerId }: Sample, ...kinds: string[]) =>
    restoreTable(meters, {
      scope: { partner: { partnerId, offerIds: new Set([offerId]) }, kinds: new Set(kinds) },
      write: true,
      deleteNew: false,
      now: () => nowMs,
    });
  const places = await run(bars, 'service point');
  const promotions = await run(bakery, 'promotion', 'promotion in lists');
  return writtenBy(places) + writtenBy(promotions);
}

function writtenBy({ missing, different }: Differences): number {
  return missing.total() + different.total();
}

function idOf({ pk, sk }: Row): string {
  return `${pk} ${sk}`;
}

function compareWithLedger(ledger: readonly Row[], now: readonly Row[]): string[] {
  const standing = new Map(now.map((row) => [idOf(row), row]));
  const expected = new Map(ledger.map((row) => [idOf(row), row]));
  const wrong = ledger.flatMap((row) => {
    const found = standing.get(idOf(row));
    if (!found) return [`${idOf(row)}: missing`];
    return isDeepStrictEqual(found, row) ? [] : [`${idOf(row)}: different`];
  });
  const added = now.filter((row) => !expected.has(idOf(row))).map((row) => `${idOf(row)}: not in the ledger`);
  return [...wrong, ...added];
}
