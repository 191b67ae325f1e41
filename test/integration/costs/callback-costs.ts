import { randomUUID } from 'node:crypto';
import { deliveredLog, logKeptMs } from '../../../shared/callbacks/feed/delivered-log.ts';
import { type CallbackStatus, callbackStore } from '../../../shared/callbacks/rows/callback-store.ts';
import { epochSeconds } from '../../../shared/platform/runtime/clock.ts';
import { inParallel } from '../../../shared/platform/runtime/in-parallel.ts';
import { bulkMessageId } from '../../../shared/push/message-id.ts';
import type { TestTable } from '../../support/table.ts';
import { keepRows } from '../callbacks/kept-rows.ts';
import { type CostCases, count, gzipVaries, noise, once, worst } from './cost-case.ts';
import { by } from './cost-partner.ts';
import { storeEndpoint } from './endpoint-costs.ts';
import { storeSend } from './sent-costs.ts';

const attempt = { at: 1, durationMs: 1_000, httpStatus: 500, error: 'status' as const };
/** As many attempts as a row keeps, the newest three with what the partner's server said. */
const attempts = count(20).map((n) => (n < 17 ? attempt : { ...attempt, response: '😀'.repeat(300) }));

/** Stores callbacks with the largest rows, 20 of a partner, besides so many small ones that no shard is read to its end. */
const failed = once(async (table) => {
  const partnerId = 'failed'.padEnd(64, '-');
  const utm = JSON.stringify({ utmSource: noise(3_900, 0) });
  await inParallel(10, count(20), async (n) => {
    const callback = {
      partnerId,
      messageId: randomUUID(),
      state: 'OPENED' as const,
      msisdn: 79_000_000_000 + n,
    };
    const progress = { status: 'failed' as const, reason: 'answered 500', tries: 20, attempts };
    await callbackStore(table).create(
      { ...callback, changedAt: Date.now(), utm, requestId: randomUUID() },
      progress,
      Date.now(),
    );
  });
  await keepSmall(table, partnerId, ['waiting', 'delivered', 'failed', 'skipped'], 400);
  return by(partnerId);
});

/** Keeps this many small callbacks of each status, older than those of today. */
async function keepSmall(
  table: TestTable,
  partnerId: string,
  statuses: readonly CallbackStatus[],
  rows: number,
) {
  const expiresAt = epochSeconds(Date.now() + 3_600_000);
  for (const [n, status] of statuses.entries())
    await keepRows(table, status, { partnerId, from: n * rows, to: (n + 1) * rows, changedAt: 1, expiresAt });
}

/** Writes callbacks to the feed that are read from as many rows as a page may read, each as dear as a row can be. */
const fed = once(async (table) => {
  const partnerId = 'fed'.padEnd(64, '-');
  for (const _n of count(12)) {
    const bulkId = await storeSend(table, partnerId, { recipients: 80, each: true });
    const delivered = count(40).map((position) => ({
      callback: {
        ...{ partnerId, messageId: bulkMessageId(bulkId, position), state: 'DELIVERED' as const },
        ...{ msisdn: 79_000_000_000 + position, changedAt: Date.now() },
      },
    }));
    const early = { now: () => Date.now() - 60_000 };
    await deliveredLog(table, early).add(partnerId, delivered, { keptMs: logKeptMs });
  }
  return by(partnerId);
});

/** Logs callbacks of as many sends as a page shows, each message of which has a content of its own. */
const logged = once(async (table) => {
  const partnerId = 'logged'.padEnd(64, '-');
  for (const n of count(10)) {
    const bulkId = await storeSend(table, partnerId, { recipients: 80, each: true });
    const delivered = count(2).map((position) => ({
      callback: {
        ...{ partnerId, messageId: bulkMessageId(bulkId, position), state: 'DELIVERED' as const },
        ...{ msisdn: 79_000_000_000 + position, changedAt: Date.now() + n },
      },
      attempt: { at: Date.now(), durationMs: 100, httpStatus: 200 },
    }));
    await deliveredLog(table).add(partnerId, delivered, { keptMs: logKeptMs });
  }
  return by(partnerId);
});

async function skipped(table: TestTable) {
  const request = await storeEndpoint(table);
  await keepSmall(table, request.partner.partnerId, ['skipped'], 200);
  return { ...request, body: { status: 'skipped' } };
}

export const callbackCosts: CostCases = {
  ListCallbacks: [
    worst(
      'a page of the largest rows, among many others',
      {
        read: 50,
        cpu: { ms: 150, because: 'it makes 42 calls of the table' },
        logs: 'callerId login callbacks incomplete',
      },
      failed,
    ),
    worst(
      'a page of logged callbacks of ten sends whose messages have a content each',
      {
        read: 345,
        isSpread: true,
        atMost: 'a page ends earlier where its sends share a bucket',
        cpu: { ms: 250, because: 'it parses 800 contents' },
        logs: 'callerId login callbacks incomplete',
      },
      logged,
    ),
  ],
  ReadFeed: [
    worst(
      'a page of ten sends whose messages have a content each',
      {
        read: 400,
        atMost: gzipVaries,
        requests: 4,
        isSpread: true,
        cpu: { ms: 250, because: 'it parses 800 contents' },
      },
      fed,
    ),
  ],
  ReplayCallbacks: [
    worst(
      '1,000 messages that nobody knows',
      {
        read: 504,
        write: 25,
        atMost: gzipVaries,
        cpu: { ms: 2_500, because: 'it makes 1,000 calls of the table' },
      },
      async (table) => ({
        ...(await storeEndpoint(table)),
        body: { messageIds: count(1_000).map(() => randomUUID()) },
      }),
    ),
    // A request replays up to 5,000, each for the same units.
    worst(
      '200 callbacks that were skipped',
      {
        read: 55,
        write: 810,
        atMost: 'it stops after 20 s, which a busy machine may need',
        cpu: { ms: 500, because: 'it makes 200 calls of the table' },
      },
      skipped,
    ),
  ],
};
