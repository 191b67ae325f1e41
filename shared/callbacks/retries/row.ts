import * as z from 'zod/mini';
import { Attempt } from '../attempt.ts';
import { Callback } from '../callback.ts';

export const CallbackStatus = z.enum(['waiting', 'delivered', 'failed', 'skipped']);
export type CallbackStatus = z.infer<typeof CallbackStatus>;

/** A callback that its first attempt did not deliver. Only who knows the current `version` may change it. */
export const CallbackRow = z.extend(Callback, {
  status: CallbackStatus,
  version: z.int(),
  /** Attempts made in this run of the schedule; a replay starts a new run. */
  tries: z.int(),
  /** The newest attempts, oldest first, over all runs. */
  attempts: z.array(Attempt),
  reason: z.optional(z.string()),
  /** Present while waiting: when it is looked at again. */
  dueAt: z.optional(z.number()),
  /** It waits for the end of an open circuit, not for a time. */
  waitsForCircuit: z.optional(z.literal(true)),
  /** A message of it is in the queue, since then. */
  queuedAt: z.optional(z.number()),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** In seconds; the table deletes it some time later. */
  expiresAt: z.number(),
  claimedBy: z.optional(z.string()),
});
export type CallbackRow = z.infer<typeof CallbackRow>;

const attemptsKept = 20;
/** A row that is written after every attempt must stay small. */
const responsesKept = 3;

export type History = Pick<CallbackRow, 'tries' | 'attempts'>;

export type Progress = History &
  (
    | { status: 'waiting'; dueAt: number; waitsForCircuit?: true }
    | { status: 'delivered' }
    | { status: 'failed' | 'skipped'; reason: string }
  );

export const noHistory: History = { tries: 0, attempts: [] };

export function withAttempt({ tries, attempts }: History, attempt: Attempt): History {
  const kept = [...attempts, attempt].slice(-attemptsKept);
  return {
    tries: tries + 1,
    attempts: kept.map(({ response, ...one }, n) =>
      response === undefined || n < kept.length - responsesKept ? one : { ...one, response },
    ),
  };
}

type Attributes = Record<string, unknown>;

/** The update of a row that still has the values `seen`. */
export function changeIf(seen: Attributes, set: Attributes, removed: readonly string[]) {
  const sets = Object.entries(set).filter(([, value]) => value !== undefined);
  const names = [...sets.map(([name]) => name), ...Object.keys(seen), ...removed];
  return {
    UpdateExpression: `SET ${sets.map(([name]) => `#${name} = :${name}`)} REMOVE ${removed.map((name) => `#${name}`)}`,
    ConditionExpression: Object.keys(seen)
      .map((name) => `#${name} = :seen_${name}`)
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries([
      ...sets.map(([name, value]) => [`:${name}`, value]),
      ...Object.entries(seen).map(([name, value]) => [`:seen_${name}`, value]),
    ]),
  };
}
