import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { gzip } from '../../platform/runtime/gzip.ts';
import { type Attempt, type Callback, CallbackState } from '../callback.ts';

/** A callback that its first attempt delivered, or the feed, which makes no attempt. */
export type Delivered = { callback: Callback; attempt?: Attempt | undefined };

/** The packed form of one callback. It has no phone number, so erasing a recipient does not have to change the row. */
const Packed = z.array(z.tuple([z.string(), CallbackState, z.int(), z.number(), z.nullable(z.int())]));
const Seconds = z.array(z.int());
const Row = z.object({
  sk: z.string(),
  packed: z.instanceof(Uint8Array),
  // Rows that were written before 25 November 2026 lack it.
  reached: z.optional(z.instanceof(Uint8Array)),
  expiresAt: z.number(),
});

/** The callbacks of a row, and when their states were reached, in seconds: bodies say no more. */
export async function packDelivered(delivered: readonly Delivered[], atMs: number) {
  const packed = delivered.map(({ callback: { messageId, state }, attempt }) => [
    messageId,
    state,
    attempt?.at ?? atMs,
    attempt?.durationMs ?? 0,
    attempt?.httpStatus ?? null,
  ]);
  const reached = delivered.map(({ callback }) => Math.floor(callback.changedAt / 1_000));
  return { packed: await gzip(JSON.stringify(packed)), reached: await gzip(JSON.stringify(reached)) };
}

export type DeliveredRow = ReturnType<typeof readDelivered>;

/** Gunzips on this thread, because a row is small. */
export function readDelivered(row: unknown) {
  const { sk, packed, reached, expiresAt } = Row.parse(row);
  const [time = '', id = ''] = sk.split('#');
  const seconds = reached ? Seconds.parse(JSON.parse(gunzipSync(reached).toString())) : [];
  const entries = Packed.parse(JSON.parse(gunzipSync(packed).toString()));
  return {
    sk,
    id,
    writtenAt: Number(time),
    expiresAt,
    callbacks: entries.map(([messageId, state, at, durationMs, httpStatus], n) => ({
      messageId,
      state,
      changedAt: seconds[n] === undefined ? undefined : seconds[n] * 1_000,
      attempts: httpStatus === null ? [] : [{ at, durationMs, httpStatus }],
    })),
  };
}
