import { configOf } from '../../infra/config.ts';
import {
  deliverTiming,
  dispatchOf,
  durationMs,
  fanOutTiming,
  memoryMb,
  receiptsTiming,
  sendBulkTiming,
  startSyncTiming,
  type Timing,
  timings,
} from './durations.ts';
import { daysAMonth, type Load, listsPerCheckIn, placesPerSlice, pollsPerSession } from './load.ts';
import {
  bytesOutPerCallback,
  type FunctionName,
  logBytes,
  measuredUnits,
  platformLogBytes,
  storedBytes,
} from './measured-units.ts';

export const areas = [
  'service points',
  'check-ins',
  'push',
  'receipts',
  'callbacks',
  'sign-in',
  'standing',
] as const;
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

function nothing(): Usage {
  return {
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
  };
}

const gb = 1e9;
/** Lambda's own: memory is counted in powers of two. */
const mbPerGb = 1_024;

/** Adds up, operation by operation. Batches are taken as full: with little to do more of them are half empty. */
class Tally {
  readonly usage = nothing();

  units(times: number, of: { reads: number; writes: number }): void {
    this.usage.reads += times * of.reads;
    this.usage.writes += times * of.writes;
  }

  /** `lines`: units of work in an invocation, each with its log line. */
  invoke(name: FunctionName, times: number, timing: Timing, lines = 1): void {
    this.usage.invocations += times;
    this.usage.gbSeconds += (times * durationMs(name, timing) * (memoryMb[name] / mbPerGb)) / 1_000;
    this.usage.logGb += (times * (lines * logBytes[name] + platformLogBytes.invocation)) / gb;
  }

  /** A request through the gateway and its function. */
  request(name: FunctionName, times: number, timing: Timing): void {
    this.usage.httpRequests += times;
    this.usage.logGb += (times * platformLogBytes.request) / gb;
    this.invoke(name, times, timing);
  }
}

/** A list without places is refused. */
function sessionsAMonth(load: Load): number {
  return load.places > 0 ? load.partners * load.syncsADay * daysAMonth : 0;
}

function servicePoints(load: Load): Usage {
  const tally = new Tally();
  const sessions = sessionsAMonth(load);
  const slices = sessions * Math.ceil(load.places / placesPerSlice);
  const changed = (sessions * load.places * load.changedPercent) / 100;
  tally.units(sessions, measuredUnits.startSync);
  tally.units(sessions * pollsPerSession, measuredUnits.pollSession);
  tally.units(sessions * load.places, measuredUnits.unchangedPlace);
  tally.units(slices, measuredUnits.endSlice);
  if (load.changedPercent > 0) tally.units(slices, measuredUnits.planSlice);
  tally.units(changed, measuredUnits.changedPlace);
  tally.request('StartSync', sessions, startSyncTiming(load.places));
  tally.request('GetSync', sessions * pollsPerSession, timings.GetSync);
  tally.invoke('ProcessSlice', slices, timings.ProcessSlice);
  tally.usage.fifoQueueRequests += slices * 3;
  tally.usage.storedGb += (load.partners * load.places * storedBytes.place) / gb;
  return tally.usage;
}

function checkInsAMonth(load: Load): number {
  return load.checkInsADay * daysAMonth;
}

function checkIns(load: Load): Usage {
  const tally = new Tally();
  const opened = checkInsAMonth(load);
  tally.units(opened, measuredUnits.openCheckIn);
  tally.units(opened * listsPerCheckIn, measuredUnits.listCheckIns);
  tally.units(opened, measuredUnits.registerCheckIn);
  tally.request('OpenCheckIn', opened, timings.OpenCheckIn);
  tally.request('ListCheckIns', opened * listsPerCheckIn, timings.ListCheckIns);
  tally.request('RegisterCheckIn', opened, timings.RegisterCheckIn);
  tally.usage.storedGb += (opened * storedBytes.checkIn) / gb;
  return tally.usage;
}

export function pushesAMonth(load: Load): number {
  return load.pushesAMinute * 60 * load.hours * load.pushDays;
}

/** About 60 bytes a recipient, and a request of the queue for each begun 64 kB. */
function outboxRequests(recipients: number) {
  return 2 * Math.ceil((500 + 60 * recipients) / 65_536) + 1;
}

function push(load: Load): Usage {
  const tally = new Tally();
  const pushes = pushesAMonth(load);
  const requests = pushes / load.bulkSize;
  const parts = Math.ceil(load.bulkSize / 1_000);
  if (load.bulkSize === 1) {
    tally.units(requests, measuredUnits.sendSingle);
    tally.units(requests / 1_000, measuredUnits.leaseOfRate);
    tally.request('SendMessage', requests, timings.SendMessage);
    tally.usage.storedGb += (requests * storedBytes.singleMessage) / gb;
  } else {
    tally.units(pushes, measuredUnits.bulkRecipient);
    tally.units((requests * load.bulkSize) / 1_000, measuredUnits.fullPart);
    tally.units(requests, measuredUnits.bulkRow);
    tally.units(requests * Math.min(1, load.bulkSize / 1_000), measuredUnits.leaseOfRate);
    tally.units(requests * parts, measuredUnits.dispatchPart);
    tally.request('SendBulk', requests, sendBulkTiming(load.bulkSize));
    tally.usage.storedGb += (pushes * storedBytes.recipientOfBulk) / gb;
  }
  const dispatch = dispatchOf(load.bulkSize);
  tally.invoke('DispatchMessages', requests / dispatch.requests, dispatch.timing);
  const shown = Math.min(1_000, load.bulkSize) * (load.registeredPercent / 100);
  tally.usage.standardQueueRequests += requests * parts * outboxRequests(shown);
  return tally.usage;
}

export function statesAMonth(load: Load): number {
  return ((pushesAMonth(load) * load.registeredPercent) / 100) * (1 + load.openedPercent / 100);
}

export const receiptsPerMessage = 500;
export const receiptMessagesPerBatch = 5;

function receipts(load: Load): Usage {
  const tally = new Tally();
  const states = statesAMonth(load);
  const messages = states / receiptsPerMessage;
  tally.units(states, measuredUnits.newState);
  if (load.bulkSize === 1) tally.units(states, measuredUnits.receiptOfSingle);
  else tally.units(messages, measuredUnits.receiptMessageOfBulk);
  const timing = receiptsTiming(receiptsPerMessage * receiptMessagesPerBatch);
  tally.invoke('RecordReceipts', messages / receiptMessagesPerBatch, timing, receiptMessagesPerBatch);
  // 500 receipts are some 68 kB: two requests to send them, two to receive them.
  tally.usage.standardQueueRequests += messages * (4 + 1 / receiptMessagesPerBatch);
  tally.usage.storedGb += ((states / (1 + load.openedPercent / 100)) * storedBytes.state) / gb;
  return tally.usage;
}

function callbacks(load: Load): Usage {
  const tally = new Tally();
  const told = (statesAMonth(load) * load.callbacksPercent) / 100;
  const failing = (told * load.failingCallbacksPercent) / 100;
  const attempts = told + failing;
  tally.units(told, measuredUnits.callback);
  tally.units(failing, measuredUnits.callbackFailingOnce);
  tally.units(failing, measuredUnits.callbackRetry);
  tally.invoke('FanOutStates', told / 100, fanOutTiming(100));
  tally.invoke('DeliverCallback', attempts / 10, deliverTiming(10), 10);
  // Sent, received and deleted ten at a time; a retry is sent alone.
  tally.usage.fairQueueRequests += told * 0.3 + failing * 1.2;
  tally.usage.gbOut += (attempts * bytesOutPerCallback) / gb;
  return tally.usage;
}

/** Openings of check-ins are the wallet platform's, which signs in by IAM. */
function partnerRequestsAMonth(load: Load): number {
  return (
    sessionsAMonth(load) * (1 + pollsPerSession) +
    checkInsAMonth(load) * (listsPerCheckIn + 1) +
    pushesAMonth(load) / load.bulkSize
  );
}

/** The gateway keeps a verdict: a partner with one login is looked up once a period, however many its requests. */
function signIn(load: Load): Usage {
  const tally = new Tally();
  const periods = (daysAMonth * 24 * 3_600) / configOf('prod').authorizerCacheSeconds;
  const verdicts = Math.min(partnerRequestsAMonth(load), load.partners * periods);
  tally.units(verdicts, measuredUnits.verdict);
  tally.invoke('AuthorizePartner', verdicts, timings.AuthorizePartner);
  return tally.usage;
}

function standing(): Usage {
  const tally = new Tally();
  const minutes = daysAMonth * 24 * 60;
  tally.units(minutes, measuredUnits.minutelyResume);
  tally.invoke('ResumeCallbacks', minutes, timings.ResumeCallbacks);
  // Five queues have a function: five pollers each ask an empty queue every 20 s.
  tally.usage.standardQueueRequests += 5 * 5 * 3 * minutes;
  return tally.usage;
}

export function usageOf(load: Load): MonthlyUsage {
  return {
    'service points': servicePoints(load),
    'check-ins': checkIns(load),
    push: push(load),
    receipts: receipts(load),
    callbacks: callbacks(load),
    'sign-in': signIn(load),
    standing: standing(),
  };
}
