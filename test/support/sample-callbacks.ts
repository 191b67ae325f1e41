import { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { failedCallbacks } from '../../shared/callbacks/endpoint/failed-callbacks.ts';
import { takeSpan } from '../../shared/callbacks/endpoint/pace-store.ts';
import { examinedStore } from '../../shared/callbacks/examination/examined-store.ts';
import { deliveredLog, logKeptMs } from '../../shared/callbacks/feed/delivered-log.ts';
import { callbackExaminations, callbackTests, replayLimit } from '../../shared/callbacks/limits.ts';
import { callbackStore } from '../../shared/callbacks/rows/callback-store.ts';
import { epochSeconds, minutes } from '../../shared/platform/runtime/clock.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { reportLimit } from '../../shared/push/reporting/report-limit.ts';
import { addEvent } from './add-event.ts';

type Sample = { partnerId: string; firstNumber: number; nowMs: number };
type Messages = { single: string; inBulk: { first: string; later: string } };

/** Gives a partner an endpoint, and the callbacks of three of its messages. */
export async function addCallbacks(
  table: Table,
  sample: Sample,
  { single, inBulk }: Messages,
): Promise<void> {
  const { partnerId, firstNumber, nowMs } = sample;
  const found = await messageStore(table).findMany([single, inBulk.first, inBulk.later], nowMs);
  const endpoints = endpointStore(table);
  const callbacks = callbackStore(table);
  const signingSecrets = [{ secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: nowMs }];
  const endpoint = Endpoint.parse({
    partnerId,
    url: 'https://partner.example/',
    signingSecrets,
    status: 'enabled',
  });
  await endpoints.save(endpoint);
  await endpoints.save({ ...endpoint, partnerId: `${partnerId}#alerts` });
  await failedCallbacks(table).count(partnerId, nowMs);
  await examinedStore(table).save(endpoint, [], { by: partnerId, atMs: nowMs });
  await endpoints.stepCircuit(partnerId, (circuit) => ({ ...circuit, failures: 1, failingSince: nowMs }), {
    nowMs,
  });
  await takeSpan(table, {
    endpointId: partnerId,
    seen: { slotsUntil: 0, lineUntil: 0 },
    of: 'slotsUntil',
    from: nowMs,
    atMost: nowMs,
    spanMs: 1,
    set: { oldestSince: nowMs, expiresAt: epochSeconds(nowMs + minutes(60)) },
  });
  await addEvent(table, partnerId, { kind: 'endpoint.changed', atMs: nowMs, by: partnerId });
  await callbackTests(table).take(partnerId, 1, nowMs);
  await callbackExaminations(table).take(partnerId, 1, nowMs);
  await replayLimit(table).take(partnerId, 1, nowMs);
  await reportLimit(table).take(partnerId, 1, nowMs);
  type Told = { messageId: string; msisdn: number };
  const callbackOf = ({ messageId, msisdn }: Told, state: 'DELIVERED' | 'OPENED') => {
    return { partnerId, messageId, state, msisdn, changedAt: nowMs };
  };
  const waiting = { status: 'waiting' as const, dueAt: nowMs + minutes(5), tries: 1, attempts: [] };
  for (const message of found.values()) {
    await deliveryStateStore(table).record([{ message, state: 'DELIVERED', atMs: nowMs }]);
    await callbacks.create(callbackOf(message, 'DELIVERED'), waiting, nowMs);
  }
  const delivered = [...found.values()].map((message) => ({
    callback: callbackOf(message, 'OPENED'),
    attempt: { at: nowMs, durationMs: 50, httpStatus: 200 },
  }));
  await deliveredLog(table).add(partnerId, delivered, { keptMs: logKeptMs });
  if (found.size !== 3) throw new Error(`only ${found.size} messages of ${firstNumber} were found`);
}
