import { kindOf, type RowKindName, rowKinds } from '../../shared/platform/table/row-kinds.ts';
import { type Entry, entry } from './ledger.ts';

/** For how long writes keep rows, by their kinds: the shortest and the longest time in hours, of which some are infinite. */
export type KeptRows = Map<RowKindName, [least: number, most: number]>;

const day = 24;
/** Some of a send's rows are written a while after its acceptance, some of a list's at the end of a long worker. */
const ofSend = [39 * day - 0.05, 39 * day + 0.35] as const;
const ofList = [30 * day - 0.1, 30 * day] as const;

/**
 * What docs/data-model.md says, in hours. Some ends count from the end of a check-in, from the acceptance of a list or a send,
 * or from the time for which a send is scheduled. The shortest lifetime of a check-in is a minute.
 */
const promised: Partial<Record<RowKindName, readonly [least: number, most: number]>> = {
  'active check-in': [1 / 60, 2],
  'check-in by number': [30 * day, 30 * day + 2],
  'bulk send': ofSend,
  'part of a bulk send': ofSend,
  'send in lists': ofSend,
  'single message': ofSend,
  'states of a bulk send': ofSend,
  'states of a message': ofSend,
  deadline: ofSend,
  callback: [30 * day, 30 * day],
  circuit: [30 * day, 30 * day],
  'failed callbacks': [30 * day, 30 * day],
  pace: [30 * day, 30 * day],
  'parked message': [30 * day, 30 * day],
  'sync session': ofList,
  'changes of a list': ofList,
  'rejected elements': ofList,
  'part of a list': [5 * day, 5 * day],
  // Three days in the log, and 7 and an hour in the feed.
  'delivered callbacks': [3 * day, 7 * day + 1],
  event: [400 * day, 400 * day],
  'idempotency key': [day, day],
  'kept response': [day, day],
  heartbeat: [1, 1],
  'rate of a minute': [1 / 60, 0.37],
  'replays of ten minutes': [1 / 3, 1 / 3],
  'reports of a minute': [1 / 30, 1 / 30],
  'callback tests of a minute': [1 / 30, 1 / 30],
  'requests of a window': [1 / 360, 1 / 180],
};

/** These are written as long as the run goes on, and end with their send or list. */
const later: readonly RowKindName[] = [
  'states of a bulk send',
  'states of a message',
  'deadline',
  'sync session',
];

const endless = new Set<RowKindName>(rowKinds.filter(({ end }) => end !== 'expires').map(({ name }) => name));

/** With faults clocks differ, and writes arrive late: half a minute is allowed then. */
const tolerance = { calm: 0.002, faulty: 0.01 };

export function seeKept(kept: KeptRows, id: string, forMs: number): void {
  const [pk = '', sk = ''] = id.split(' ');
  const { name } = kindOf({ pk, sk }).kind;
  const hours = forMs / 3_600_000;
  const [least, most] = kept.get(name) ?? [hours, hours];
  kept.set(name, [Math.min(least, hours), Math.max(most, hours)]);
}

export function keptAsPromised(
  { kept, isCalm }: { kept: KeptRows; isCalm: boolean },
  hoursOfRun: number,
): Entry {
  const slack = tolerance[isCalm ? 'calm' : 'faulty'];
  const wrong = [...kept].filter(([kind, [least, most]]) => {
    const unsaid = endless.has(kind) ? Number.POSITIVE_INFINITY : 0;
    const [atLeast, atMost] = promised[kind] ?? [unsaid, unsaid];
    const after = later.includes(kind) ? hoursOfRun : 0;
    return least < atLeast - after - slack || most > atMost + slack;
  });
  const said = wrong.map(([kind, hours]) => `${kind}: ${hours.join(' to ')} hours`);
  return entry('rows are kept as long as the data model says', kept.size, said);
}
