import { configOf } from '../../infra/config.ts';
import type { FunctionName } from './measured-units.ts';

/*
 * How long the functions take in AWS was never measured. It is reckoned here: the calls that wait for each other,
 * as the code makes them, times what a call is assumed to take, plus the CPU time measured on a development
 * machine, stretched to the share of a vCPU that the function's memory buys. Local durations are no guide: the
 * engines there share two cores with everything else.
 */

/** Assumed: single-digit milliseconds for the table, a little more for a batch of the queue. */
export const assumedMs = { tableCall: 5, queueCall: 10, partnerMedian: 80, slowestOfTen: 170 } as const;

/** Published: a function of 1,769 MB has one vCPU. */
const memoryMbPerVcpu = 1_769;

/**
 * CPU of an item, in ms, by `node bench/capacity/measure.ts` on two shared cores of an AMD EPYC: the highest of
 * three runs (a receipt 0.76 to 0.78, a state 0.09 to 0.12, a callback 0.16 to 0.26). The partner was
 * called by plain http: `tls` is added for the encryption of a kept connection, and is a guess.
 */
export const cpuMs = {
  receipt: 0.78,
  fannedOutState: 0.12,
  callback: 0.26,
  tls: 0.1,
  request: 3,
  place: 0.3,
} as const;

export interface Timing {
  /** Calls that wait for each other. */
  readonly tableCalls: number;
  readonly queueCalls: number;
  readonly cpuMs: number;
  /** Waiting for somebody else. */
  readonly outsideMs?: number;
}

const { sizes } = configOf('prod');

export const memoryMb = {
  AuthorizePartner: sizes.authorizer.memoryMb,
  StartSync: sizes.listEndpoint.memoryMb,
  GetSync: sizes.endpoint.memoryMb,
  ProcessSlice: sizes.worker.memoryMb,
  OpenCheckIn: sizes.checkInOpening.memoryMb,
  ListCheckIns: sizes.endpoint.memoryMb,
  RegisterCheckIn: sizes.endpoint.memoryMb,
  SendMessage: sizes.endpoint.memoryMb,
  SendBulk: sizes.listEndpoint.memoryMb,
  DispatchMessages: sizes.listEndpoint.memoryMb,
  RecordReceipts: sizes.worker.memoryMb,
  FanOutStates: sizes.worker.memoryMb,
  DeliverCallback: sizes.callbackAttempt.memoryMb,
  ResumeCallbacks: sizes.callbackResume.memoryMb,
} as const satisfies Record<FunctionName, number>;

export const vcpusOf = (name: FunctionName): number => memoryMb[name] / memoryMbPerVcpu;

export const durationMs = (name: FunctionName, timing: Timing): number =>
  timing.tableCalls * assumedMs.tableCall +
  timing.queueCalls * assumedMs.queueCall +
  (timing.outsideMs ?? 0) +
  timing.cpuMs / Math.min(1, vcpusOf(name));

const request = (tableCalls: number, queueCalls = 0): Timing => ({
  tableCalls,
  queueCalls,
  cpuMs: cpuMs.request,
});

/** A bulk request reads recipients 100 a call, 8 calls at once, and writes parts of 1,000, 4 at once. */
export const sendBulkTiming = (recipients: number): Timing => ({
  tableCalls: 2 + Math.ceil(recipients / 800) + Math.ceil(recipients / 4_000),
  queueCalls: 0,
  cpuMs: cpuMs.request + recipients / 100,
});

export const dispatchTiming = (parts: number): Timing => ({
  tableCalls: 1,
  queueCalls: Math.ceil(parts / 50),
  cpuMs: cpuMs.request + 10 * parts,
});

/** Of one invocation. Writes of receipts go 48 at once, and the CPU is the limit long before the table is. */
export const receiptsTiming = (receipts: number): Timing => ({
  tableCalls: 2 + Math.ceil(receipts / 48),
  queueCalls: 0,
  cpuMs: receipts * cpuMs.receipt,
});

/** The batches of ten are sent five at once. */
export const fanOutTiming = (records: number): Timing => ({
  tableCalls: 0,
  queueCalls: Math.ceil(records / 50),
  cpuMs: records * cpuMs.fannedOutState,
});

/** A batch lasts as long as its slowest attempt. */
export const deliverTiming = (callbacks: number): Timing => ({
  tableCalls: 0,
  queueCalls: 0,
  cpuMs: callbacks * (cpuMs.callback + cpuMs.tls),
  outsideMs: assumedMs.slowestOfTen,
});

export const timings = {
  AuthorizePartner: request(1),
  StartSync: { tableCalls: 3, queueCalls: 2, cpuMs: 300 },
  GetSync: request(1),
  ProcessSlice: { tableCalls: 10, queueCalls: 0, cpuMs: 500 * cpuMs.place },
  OpenCheckIn: request(3),
  ListCheckIns: request(1),
  RegisterCheckIn: request(3),
  SendMessage: request(2),
  ResumeCallbacks: request(2),
} as const satisfies Partial<Record<FunctionName, Timing>>;
