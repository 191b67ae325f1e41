import { dueShards, parseCallbackKey } from '../../platform/table/row-keys/callbacks.ts';
import type { DueRow } from '../../platform/table/rows.ts';

export type Shares = ReturnType<typeof sharesOfEndpoints>;

/** A run counts in it what it sends of each endpoint, and how late that is. */
export function sharesOfEndpoints(sentPerRun: number) {
  const earliest = new Map<string, number>();
  const beyond = new Set<string>();
  return {
    /** Returns a function that says whether a row of one shard is within the share of its endpoint. */
    ofShard: () => {
      const taken = new Map<string, number>();
      return (row: DueRow): boolean => {
        const endpointId = parseCallbackKey(row);
        earliest.set(endpointId, Math.min(row.dueAt, earliest.get(endpointId) ?? row.dueAt));
        const count = (taken.get(endpointId) ?? 0) + 1;
        taken.set(endpointId, count);
        if (count <= sentPerRun / dueShards.length) return true;
        beyond.add(endpointId);
        return false;
      };
    },
    beyondShare: () => [...beyond],
    /** Leaves out endpoints beyond their share: they wait for their own callbacks. */
    oldestDueMs: (nowMs: number) => {
      const within = [...earliest].filter(([endpointId]) => !beyond.has(endpointId));
      return Math.max(0, ...within.map(([, dueAt]) => nowMs - dueAt));
    },
  };
}
