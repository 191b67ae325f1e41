import * as z from 'zod/mini';
import { hours } from '../../platform/runtime/clock.ts';
import { described, named } from '../../platform/validation/documented.ts';
import type { LaterState } from '../history.ts';

/** A message, and when it reached which state. */
type Reached = { reachedAt: Partial<Record<LaterState, number>> };

const Within = named('TimesWithin', {
  p50Seconds: described(z.int(), 'The median'),
  p95Seconds: described(z.int(), '95 of 100 took no longer'),
});

const mostHours = 72;

/** How fast the messages of a send were delivered and opened, from the moment when it was handed over. */
export const SendSpeed = z.object({
  deliveredWithin: described(z.optional(Within), 'Absent while none is delivered'),
  openedWithin: described(z.optional(Within), 'Absent while none is opened'),
  byHour: described(
    z.array(
      named('SendHour', {
        hour: described(z.iso.datetime(), 'When the hour begins'),
        delivered: z.int(),
        opened: z.int(),
      }),
    ),
    'Deliveries and openings of the first 72 hours; an hour without any is left out',
  ),
});

/** `handedOver` is the time from which is counted, ms; `undefined` while the send waits for its time. */
export function speedOf(
  messages: readonly Reached[],
  handedOver: number | undefined,
): z.infer<typeof SendSpeed> {
  if (handedOver === undefined) return { byHour: [] };
  const delivered = timesOf(messages, 'DELIVERED');
  const opened = timesOf(messages, 'OPENED');
  return {
    deliveredWithin: withinOf(delivered, handedOver),
    openedWithin: withinOf(opened, handedOver),
    byHour: hoursOf(delivered, opened, handedOver),
  };
}

function timesOf(messages: readonly Reached[], state: 'DELIVERED' | 'OPENED'): number[] {
  return messages.flatMap(({ reachedAt }) => reachedAt[state] ?? []);
}

/** States of bulk sends are known in whole seconds, so both ends are counted in these. */
function withinOf(times: readonly number[], handedOver: number) {
  if (times.length === 0) return undefined;
  const seconds = Float64Array.from(times, (atMs) =>
    Math.max(0, Math.floor(atMs / 1_000) - Math.floor(handedOver / 1_000)),
  ).sort();
  const nearestRank = (share: number) => seconds[Math.ceil(share * seconds.length) - 1] as number;
  return { p50Seconds: nearestRank(0.5), p95Seconds: nearestRank(0.95) };
}

function hoursOf(delivered: readonly number[], opened: readonly number[], handedOver: number) {
  const hourOf = (atMs: number) => Math.floor(atMs / hours(1));
  const deliveredIn = Map.groupBy(delivered, hourOf);
  const openedIn = Map.groupBy(opened, hourOf);
  const counts = Array.from({ length: mostHours }, (_, n) => {
    const hour = hourOf(handedOver) + n;
    return {
      hour: new Date(hour * hours(1)).toISOString(),
      delivered: deliveredIn.get(hour)?.length ?? 0,
      opened: openedIn.get(hour)?.length ?? 0,
    };
  });
  return counts.filter((counted) => counted.delivered + counted.opened > 0);
}
