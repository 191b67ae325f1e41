import {
  deliverTiming,
  dispatchTiming,
  durationMs,
  fanOutTiming,
  receiptsTiming,
  sendBulkTiming,
  timings,
} from './durations.ts';
import { daysAMonth, type Load, placesPerSlice } from './load.ts';
import {
  bytesOutPerCallback,
  type FunctionName,
  logBytes,
  measuredUnits,
  platformLogBytes,
  storedBytes,
} from './measured-units.ts';

export const areas = ['service points', 'check-ins', 'push', 'receipts', 'callbacks', 'standing'] as const;
export type Area = (typeof areas)[number];

/** What an area takes in a month. */
export interface Usage {
  reads: number;
  writes: number;
  httpRequests: number;
  standardQueueRequests: number;
  fairQueueRequests: number;
  fifoQueueRequests: number;
  invocations: number;
  gbSeconds: number;
  logGb: number;
  gbOut: number;
  /** At the end of the month: rows are kept 30 days. */
  storedGb: number;
}

export type MonthlyUsage = Record<Area, Usage>;

const nothing = (): Usage => ({
  reads: 0,
  writes: 0,
  httpRequests: 0,
  standardQueueRequests: 0,
  fairQueueRequests: 0,
  fifoQueueRequests: 0,
  invocations: 0,
  gbSeconds: 0,
  logGb: 0,
  gbOut: 0,
  storedGb: 0,
});

const gb = 1e9;

/** Adds up, operation by operation. Batches are taken as full: with little to do more of them are half empty. */
class Tally {
  readonly usage = nothing();

  units(times: number, of: { reads: number; writes: number }): void {
    this.usage.reads += times * of.reads;
    this.usage.writes += times * of.writes;
  }

  /** `lines`: units of work in an invocation, each with its log line. */
  invoke(
    name: FunctionName,
    times: number,
    { ms, memoryGb, lines = 1 }: { ms: number; memoryGb: number; lines?: number },
  ) {
    this.usage.invocations += times;
    this.usage.gbSeconds += (times * ms * memoryGb) / 1_000;
    this.usage.logGb += (times * (lines * logBytes[name] + platformLogBytes.invocation)) / gb;
  }

  /** A request through the gateway and its function. */
  request(name: FunctionName, times: number, ms: number, memoryGb = 1): void {
    this.usage.httpRequests += times;
    this.usage.logGb += (times * platformLogBytes.request) / gb;
    this.invoke(name, times, { ms, memoryGb });
  }
}

const bigGb = 1_769 / 1_024;
/** A waiting partner asks for its session a few times. */
const pollsPerSession = 5;
/** A cash desk asks for its list a few times per guest. */
const listsPerCheckIn = 3;

const servicePoints = (load: Load): Usage => {
  const tally = new Tally();
  const sessions = load.partners * load.syncsADay * daysAMonth;
  const slices = sessions * Math.ceil(load.places / placesPerSlice);
  const changed = (sessions * load.places * load.changedPercent) / 100;
  tally.units(sessions, measuredUnits.startSync);
  tally.units(sessions * pollsPerSession, measuredUnits.pollSession);
  tally.units(sessions * load.places, measuredUnits.unchangedPlace);
  tally.units(slices, measuredUnits.endSlice);
  if (load.changedPercent > 0) tally.units(slices, measuredUnits.planSlice);
  tally.units(changed, measuredUnits.changedPlace);
  tally.request('StartSync', sessions, durationMs('StartSync', timings.StartSync), bigGb);
  tally.request('GetSync', sessions * pollsPerSession, durationMs('GetSync', timings.GetSync));
  tally.invoke('ProcessSlice', slices, { ms: durationMs('ProcessSlice', timings.ProcessSlice), memoryGb: 1 });
  tally.usage.fifoQueueRequests += slices * 3;
  tally.usage.storedGb += (load.partners * load.places * storedBytes.place) / gb;
  return tally.usage;
};

const checkIns = (load: Load): Usage => {
  const tally = new Tally();
  const opened = load.checkInsADay * daysAMonth;
  tally.units(opened, measuredUnits.openCheckIn);
  tally.units(opened * listsPerCheckIn, measuredUnits.listCheckIns);
  tally.units(opened, measuredUnits.registerCheckIn);
  tally.request('OpenCheckIn', opened, durationMs('OpenCheckIn', timings.OpenCheckIn));
  tally.request('ListCheckIns', opened * listsPerCheckIn, durationMs('ListCheckIns', timings.ListCheckIns));
  tally.request('RegisterCheckIn', opened, durationMs('RegisterCheckIn', timings.RegisterCheckIn));
  tally.usage.storedGb += (opened * storedBytes.checkIn) / gb;
  return tally.usage;
};

export const pushesAMonth = (load: Load): number => load.pushesAMinute * 60 * load.hours * load.pushDays;

/** About 60 bytes a recipient, and a request of the queue for each begun 64 kB. */
const outboxRequests = (recipients: number) => 2 * Math.ceil((500 + 60 * recipients) / 65_536) + 1;

const push = (load: Load): Usage => {
  const tally = new Tally();
  const pushes = pushesAMonth(load);
  const requests = pushes / load.bulkSize;
  const parts = Math.ceil(load.bulkSize / 1_000);
  if (load.bulkSize === 1) {
    tally.units(requests, measuredUnits.sendSingle);
    tally.units(requests / 1_000, measuredUnits.leaseOfRate);
    tally.request('SendMessage', requests, durationMs('SendMessage', timings.SendMessage));
    tally.usage.storedGb += (requests * storedBytes.singleMessage) / gb;
  } else {
    tally.units(pushes, measuredUnits.bulkRecipient);
    tally.units((requests * load.bulkSize) / 1_000, measuredUnits.fullPart);
    tally.units(requests, measuredUnits.bulkRow);
    tally.units(requests * Math.min(1, load.bulkSize / 1_000), measuredUnits.leaseOfRate);
    tally.units(requests * parts, measuredUnits.dispatchPart);
    tally.request('SendBulk', requests, durationMs('SendBulk', sendBulkTiming(load.bulkSize)), bigGb);
    tally.usage.storedGb += (pushes * storedBytes.recipientOfBulk) / gb;
  }
  // A record is a request's row; a batch takes a hundred of small ones.
  const records = load.bulkSize >= 1_000 ? 1 : 100;
  const ms = durationMs('DispatchMessages', dispatchTiming(load.bulkSize >= 1_000 ? parts : records));
  tally.invoke('DispatchMessages', requests / records, { ms, memoryGb: bigGb });
  const shown = Math.min(1_000, load.bulkSize) * (load.registeredPercent / 100);
  tally.usage.standardQueueRequests += requests * parts * outboxRequests(shown);
  return tally.usage;
};

export const statesAMonth = (load: Load): number =>
  ((pushesAMonth(load) * load.registeredPercent) / 100) * (1 + load.openedPercent / 100);

export const receiptsPerMessage = 500;
export const receiptMessagesPerBatch = 5;

const receipts = (load: Load): Usage => {
  const tally = new Tally();
  const states = statesAMonth(load);
  const messages = states / receiptsPerMessage;
  tally.units(states, measuredUnits.newState);
  if (load.bulkSize === 1) tally.units(states, measuredUnits.receiptOfSingle);
  else tally.units(messages, measuredUnits.receiptMessageOfBulk);
  const ms = durationMs('RecordReceipts', receiptsTiming(receiptsPerMessage * receiptMessagesPerBatch));
  tally.invoke('RecordReceipts', messages / receiptMessagesPerBatch, {
    ms,
    memoryGb: 1,
    lines: receiptMessagesPerBatch,
  });
  // 500 receipts are some 68 kB: two requests to send them, two to receive them.
  tally.usage.standardQueueRequests += messages * (4 + 1 / receiptMessagesPerBatch);
  tally.usage.storedGb += ((states / (1 + load.openedPercent / 100)) * storedBytes.state) / gb;
  return tally.usage;
};

const callbacks = (load: Load): Usage => {
  const tally = new Tally();
  const told = (statesAMonth(load) * load.callbacksPercent) / 100;
  const failing = (told * load.failingCallbacksPercent) / 100;
  const attempts = told + failing;
  tally.units(told, measuredUnits.callback);
  tally.units(failing, measuredUnits.callbackFailingOnce);
  tally.units(failing, measuredUnits.callbackRetry);
  tally.invoke('FanOutStates', told / 100, {
    ms: durationMs('FanOutStates', fanOutTiming(100)),
    memoryGb: 1,
  });
  const ms = durationMs('DeliverCallback', deliverTiming(10));
  tally.invoke('DeliverCallback', attempts / 10, { ms, memoryGb: 1, lines: 10 });
  // Sent, received and deleted ten at a time; a retry is sent alone.
  tally.usage.fairQueueRequests += told * 0.3 + failing * 1.2;
  tally.usage.gbOut += (attempts * bytesOutPerCallback) / gb;
  return tally.usage;
};

const standing = (): Usage => {
  const tally = new Tally();
  const minutes = daysAMonth * 24 * 60;
  tally.units(minutes, measuredUnits.minutelyResume);
  tally.invoke('ResumeCallbacks', minutes, {
    ms: durationMs('ResumeCallbacks', timings.ResumeCallbacks),
    memoryGb: 1,
  });
  // Five queues have a function: five pollers each ask an empty queue every 20 s.
  tally.usage.standardQueueRequests += 5 * 5 * 3 * minutes;
  return tally.usage;
};

export const usageOf = (load: Load): MonthlyUsage => ({
  'service points': servicePoints(load),
  'check-ins': checkIns(load),
  push: push(load),
  receipts: receipts(load),
  callbacks: callbacks(load),
  standing: standing(),
});
