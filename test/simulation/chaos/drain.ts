import { setTimeout as delay } from 'node:timers/promises';

import { type Circuit, isOpen } from '../../../shared/callbacks/circuit.ts';
import { dueIndex } from '../../../shared/callbacks/due-index.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint-store.ts';
import { updateIf } from '../../../shared/table/condition.ts';
import { buckets, endpointCircuitSort, endpointPartition } from '../../../shared/table/keys.ts';
import type { ChaosPartner } from './actors.ts';
import type { Connection } from './connection.ts';
import { balances, type Ledger } from './ledger.ts';

/** What an operator did, or the passing of time, until the ledger balanced. */
export interface Help {
  redriven: number;
  madeDue: number;
}

interface Received {
  readonly Messages?: readonly {
    readonly Body: string;
    readonly ReceiptHandle: string;
    readonly Attributes?: Record<string, string>;
  }[];
}

/** Lists of service points have a function of their own behind their dead-letter queue. */
const redriven = ['delivery-receipts', 'callbacks', 'push-outbox'] as const;

/** Moves dead letters back to their queues, as the runbook says to do once the cause is gone. */
async function redrive({ sqs, queues }: Connection): Promise<number> {
  let moved = 0;
  for (const name of redriven) {
    const dlq = queues[`${name}-dlq`];
    const home = queues[name];
    for (;;) {
      const { Messages = [] } = await sqs<Received>('ReceiveMessage', {
        QueueUrl: dlq,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      });
      if (Messages.length === 0) break;
      for (const { Body, ReceiptHandle, Attributes } of Messages) {
        const group = Attributes?.['MessageGroupId'];
        await sqs('SendMessage', {
          QueueUrl: home,
          MessageBody: Body,
          ...(group ? { MessageGroupId: group } : {}),
        });
        await sqs('DeleteMessage', { QueueUrl: dlq, ReceiptHandle });
        moved += 1;
      }
    }
  }
  return moved;
}

/**
 * Ends the waits of callbacks: for a circuit, for a lease of 15 minutes that a lost message left behind, for a late
 * retry. All that time does is make rows due, and that is all that happens here.
 */
async function endWaits(connection: Connection, living: readonly string[]): Promise<number> {
  let made = 0;
  for (const partnerId of living) {
    const { circuit } = await endpointStore(connection.table).view(partnerId, { consistent: true });
    made += isOpen(circuit)
      ? await halfOpen(connection, partnerId, circuit)
      : await makeDue(connection, partnerId);
  }
  return made;
}

async function halfOpen(
  { table }: Connection,
  partnerId: string,
  { openUntil = 0, probeUntil = 0 }: Circuit,
): Promise<number> {
  const now = Date.now();
  if (Math.max(openUntil, probeUntil) <= now) return 0;
  const { applied } = await updateIf(table, {
    Key: { pk: endpointPartition(partnerId), sk: endpointCircuitSort },
    UpdateExpression: 'SET openUntil = :now REMOVE probeUntil',
    ConditionExpression: 'openUntil = :seen',
    ExpressionAttributeValues: { ':now': now, ':seen': openUntil },
  });
  return applied ? 1 : 0;
}

const soonMs = 1_000;

async function makeDue({ table }: Connection, partnerId: string): Promise<number> {
  const now = Date.now();
  const index = dueIndex(table);
  const pages = await Promise.all(
    buckets.map((bucket) => index.laterOf({ partnerId, bucket }, now + soonMs, { size: 1_000 })),
  );
  let made = 0;
  for (const { pk, sk, dueAt } of pages.flatMap(({ rows }) => rows)) {
    const { applied } = await updateIf(table, {
      Key: { pk, sk },
      UpdateExpression: 'SET dueAt = :now',
      ConditionExpression: 'dueAt = :seen',
      ExpressionAttributeValues: { ':now': now, ':seen': dueAt },
    });
    if (applied) made += 1;
  }
  return made;
}

interface DrainOptions {
  readonly connection: Connection;
  readonly partners: readonly ChaosPartner[];
  readonly seconds: number;
  readonly readLedgers: () => Promise<Ledger>;
  readonly progress: (line: string) => void;
}

/** How long work in flight may finish by itself before waits are ended and dead letters moved. */
const quietMs = 4_000;

/** Reads the ledger until it balances or the time is up, and meanwhile does what time and operators do. */
export async function drain(
  draining: DrainOptions,
): Promise<{ ledger: Ledger; help: Help; seconds: number }> {
  const { connection, partners, readLedgers, progress } = draining;
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  const living = partners.filter(({ behavior }) => behavior !== 'dead').map(({ partnerId }) => partnerId);
  const help: Help = { redriven: 0, madeDue: 0 };
  for (;;) {
    const ledger = await readLedgers();
    const open = ledger.entries.filter((line) => !balances(line));
    if (open.length === 0 || passedMs() > draining.seconds * 1_000) {
      return { ledger, help, seconds: passedMs() / 1_000 };
    }
    progress(
      `draining: ${open.map(({ what, expected, found }) => `${what} ${found}/${expected}`).join('; ')}`,
    );
    if (passedMs() > quietMs) {
      help.redriven += await redrive(connection);
      help.madeDue += await endWaits(connection, living);
    }
    await delay(1_000);
  }
}
