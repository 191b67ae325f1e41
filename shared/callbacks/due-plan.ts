import { callbackOwner } from '../table/keys.ts';
import type { Due } from './due-index.ts';

const planRules = {
  /**
   * Of a partner whose circuit is open, this many rows of each shard and run are sent, to probe it; the others stay
   * due. Each would only be deferred again, for six writes, and delay what is due for other partners.
   */
  probesPerShard: 50,
  /** The due index can leave out this many partners, a limit of its filters. */
  partnersLeftOut: 100,
} as const;

/** What is known when a page of a shard has been read. */
export type Facts = {
  nowMs: number;
  /** Partners whose circuit is open. */
  unreachable: ReadonlySet<string>;
  /** How many of their rows this run has found in the shard so far. */
  probes: ReadonlyMap<string, number>;
};

export type DuePlan = {
  send: Due[];
  drains: { row: Due; partnerId: string }[];
  passedOver: number;
  /** How long the oldest row of a reachable partner has been due. */
  oldestDueMs: number;
  probes: ReadonlyMap<string, number>;
};

/** Decides what a run does with the rows of a page. Reads and writes nothing. */
export function duePlan(rows: readonly Due[], { nowMs, unreachable, probes: earlier }: Facts): DuePlan {
  const probes = new Map(earlier);
  const send: Due[] = [];
  const drains: DuePlan['drains'] = [];
  let passedOver = 0;
  let oldestDueMs = 0;
  for (const row of rows) {
    const partnerId = callbackOwner(row);
    if (row.drains !== undefined) {
      drains.push({ row, partnerId: row.drains });
    } else if (!unreachable.has(partnerId)) {
      send.push(row);
      oldestDueMs = Math.max(oldestDueMs, nowMs - row.dueAt);
    } else {
      const found = (probes.get(partnerId) ?? 0) + 1;
      probes.set(partnerId, found);
      if (found <= planRules.probesPerShard) send.push(row);
      else passedOver += 1;
    }
  }
  return { send, drains, passedOver, oldestDueMs, probes };
}

/** The partners that have been probed enough: the next page need not contain their rows. */
export function probedEnough(probes: DuePlan['probes']): string[] {
  return [...probes]
    .filter(([, found]) => found >= planRules.probesPerShard)
    .map(([partnerId]) => partnerId)
    .slice(0, planRules.partnersLeftOut);
}
