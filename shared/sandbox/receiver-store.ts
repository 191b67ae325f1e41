import * as z from 'zod/mini';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { endpointPartition } from '../platform/table/row-keys/callbacks.ts';
import { receivedKey, receivedPartition, receiverKey } from '../platform/table/row-keys/sandbox.ts';
import {
  putRow,
  readPartition,
  readRow,
  updateExpression,
  updateIf,
  updateRow,
} from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import type { ReceiverAnswer } from './receiver.ts';

/** How long a receiver is kept after it was set, or after a read that prolonged it. */
const receiverKeptMs = days(90);
/** A read that would prolong the receiver by less than this does not write. */
const prolongedByMs = days(30);
const callbackKeptMs = days(7);
/** The number of callbacks that are kept. The next one replaces the oldest. */
const mostReceived = 100;

/** The endpoint's signing secrets. */
const Signer = z.object({ signingSecrets: z.array(z.object({ secret: z.string() })) });

const Receiver = z.object({
  token: z.string(),
  refused: z.number(),
  taken: z.number(),
  status: z.number(),
  delaySeconds: z.number(),
  /** How many more callbacks get this response. Absent: all. */
  timesLeft: z.optional(z.number()),
  keptUntil: z.number(),
});
export type Receiver = z.infer<typeof Receiver>;

const ReceivedRow = z.object({
  receivedAt: z.number(),
  answered: z.number(),
  delaySeconds: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
export type ReceivedCallback = z.infer<typeof ReceivedRow>;

const asBefore = { status: 200, delaySeconds: 0 };

/**
 * The receiver of callbacks that a partner has on a stage with a simulated wallet platform. Its row lies beside the
 * endpoint's, which holds the secrets that it verifies with.
 */
export function receiverStore(table: Table) {
  return {
    /** The partner's receiver, with this token if it has none yet. */
    ofPartner: async (partnerId: string, newToken: string, nowMs: number): Promise<Receiver> => {
      const row = Receiver.safeParse(await readRow(table, receiverKey(partnerId))).data;
      if (row && row.keptUntil > nowMs + receiverKeptMs - prolongedByMs) return row;
      return setReceiver(table, partnerId, { newToken, nowMs });
    },

    setAnswer: (partnerId: string, setting: Required<Setting>): Promise<Receiver> =>
      setReceiver(table, partnerId, setting),

    /** The receiver and the endpoint of a partner, each if there is one. */
    withEndpoint: async (partnerId: string, nowMs: number) => {
      const rows = await readPartition(table, endpointPartition(partnerId));
      const receiver = rows.map((row) => Receiver.safeParse(row).data).find((row) => row !== undefined);
      const endpoint = rows.map((row) => Signer.safeParse(row).data).find((row) => row !== undefined);
      return { endpoint, receiver: receiver && receiver.keptUntil > nowMs ? receiver : undefined };
    },

    /** Counts a request that did not verify. */
    refuse: async (partnerId: string): Promise<void> => {
      await updateIf(table, {
        Key: receiverKey(partnerId),
        ...updateExpression({ add: { refused: 1 } }),
        ConditionExpression: 'attribute_exists(pk)',
      });
    },

    /** Stores a callback in place of the oldest of a hundred, and returns the response to it. */
    take: async (
      partnerId: string,
      receiver: Receiver,
      callback: Omit<ReceivedCallback, 'answered' | 'delaySeconds'>,
    ): Promise<{ status: number; delaySeconds: number }> => {
      const counted = await count(table, partnerId, receiver);
      const { status: answered, delaySeconds } = counted.answer;
      await putRow(table, {
        ...receivedKey(partnerId, counted.taken % mostReceived),
        ...callback,
        answered,
        delaySeconds,
        expiresAt: epochSeconds(callback.receivedAt + callbackKeptMs),
      });
      return counted.answer;
    },

    /** The newest 100 of the last 7 days, newest first. */
    received: async (partnerId: string, nowMs: number): Promise<ReceivedCallback[]> => {
      const rows = await readPartition(table, receivedPartition(partnerId));
      return z
        .array(ReceivedRow)
        .parse(rows)
        .filter(({ receivedAt }) => receivedAt + callbackKeptMs > nowMs)
        .sort((a, b) => b.receivedAt - a.receivedAt);
    },
  };
}

type Setting = { newToken: string; nowMs: number; answer?: ReceiverAnswer };

async function setReceiver(table: Table, partnerId: string, { newToken, nowMs, answer }: Setting) {
  const keptUntil = nowMs + receiverKeptMs;
  const set = answer && {
    status: answer.status,
    delaySeconds: answer.delaySeconds,
    timesLeft: answer.times ?? null,
  };
  const initial = { token: newToken, refused: 0, taken: 0, ...(answer ? {} : asBefore) };
  const { Attributes } = await updateRow(table, {
    Key: receiverKey(partnerId),
    ...updateExpression({
      set: { keptUntil, expiresAt: epochSeconds(keptUntil), ...set },
      setIfAbsent: initial,
    }),
    ReturnValues: 'ALL_NEW',
  });
  return Receiver.parse(Attributes);
}

/** Counts a callback. Even if many arrive at once, exactly `times` of them get the requested response. */
async function count(table: Table, partnerId: string, { status, delaySeconds, timesLeft }: Receiver) {
  const counting = (limited: boolean) =>
    updateIf(table, {
      Key: receiverKey(partnerId),
      UpdateExpression: `ADD taken :one${limited ? ' SET timesLeft = timesLeft - :one' : ''}`,
      ConditionExpression: limited ? 'timesLeft >= :one' : 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    });
  const limited = timesLeft !== undefined && timesLeft > 0;
  const asAsked = timesLeft === undefined || limited ? await counting(limited) : undefined;
  const counted = asAsked?.applied ? asAsked : await counting(false);
  const { taken } = Receiver.parse(counted.row);
  return { taken, answer: asAsked?.applied ? { status, delaySeconds } : asBefore };
}
