import { configOf } from '../../infra/config.ts';
import { recipientsPerPart } from '../../shared/push/packed-recipients.ts';
import { placesPerSlice } from './load.ts';
import type { FunctionName } from './measured-units.ts';

/*
 * How long the functions take in AWS was never measured. It is reckoned here: the calls that wait for each other,
 * as the code makes them, times what a call is assumed to take, plus the CPU time measured on a development
 * machine, stretched to the share of a vCPU that the function's memory buys. Local durations are no guide: the
 * engines there share two cores with everything else.
 */

/** Assumed: single-digit milliseconds for the table, a little more for a batch of the queue. */
export const assumedMs = { tableCall: 5, queueCall: 10, slowestOfTen: 170 } as const;

/** Published: a function of so much memory has one vCPU. */
export const memoryMbPerVcpu = 1_769;

/**
 * CPU in ms, measured on two shared cores of an AMD EPYC. Workers, by item: `npx node bench/capacity/measure.ts`,
 * the highest of three runs (a receipt 0.76 to 0.78, a state 0.09 to 0.12, a callback 0.16 to 0.26). Large
 * requests: lines close to those fitted to the warm scenes of `npm run bench`, which have up to 500 places and
 * 1,000 recipients (docs/performance.md); what is larger is taken to go on in a straight line.
 */
const measuredCpuMs = {
  receipt: 0.78,
  fannedOutState: 0.12,
  callback: 0.26,
  startSync: 3,
  acceptedPlace: 0.008,
  sendBulk: 2.6,
  acceptedRecipient: 0.012,
} as const;

/**
 * CPU in ms that nobody measured. `tls` comes on top of a callback, which was measured over plain http: the
 * encryption of a kept connection. Requests took 0.9 to 3.3 ms warm; `request` stands for all of them.
 */
const assumedCpuMs = { tls: 0.1, request: 3, place: 0.3, dispatchedRecipient: 0.01 } as const;

export interface Timing {
  /** Calls that wait for each other. */
  readonly tableCalls: number;
  readonly queueCalls: number;
  readonly cpuMs: number;
  /** Waiting for somebody else. */
  readonly outsideMs?: number;
}

const { sizes, streams } = configOf('prod');

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

export function vcpusOf(name: FunctionName): number {
  return memoryMb[name] / memoryMbPerVcpu;
}

export function durationMs(name: FunctionName, timing: Timing): number {
  return (
    timing.tableCalls * assumedMs.tableCall +
    timing.queueCalls * assumedMs.queueCall +
    (timing.outsideMs ?? 0) +
    timing.cpuMs / Math.min(1, vcpusOf(name))
  );
}

function request(tableCalls: number, queueCalls = 0): Timing {
  return {
    tableCalls,
    queueCalls,
    cpuMs: assumedCpuMs.request,
  };
}

export function startSyncTiming(places: number): Timing {
  return {
    tableCalls: 3,
    queueCalls: 2,
    cpuMs: measuredCpuMs.startSync + places * measuredCpuMs.acceptedPlace,
  };
}

/** A bulk request reads recipients 100 a call, 8 calls at once, and writes parts of 1,000, 4 at once. */
export function sendBulkTiming(recipients: number): Timing {
  return {
    tableCalls: 2 + Math.ceil(recipients / 800) + Math.ceil(recipients / 4_000),
    queueCalls: 0,
    cpuMs: measuredCpuMs.sendBulk + recipients * measuredCpuMs.acceptedRecipient,
  };
}

export interface Dispatch {
  /** Accepted requests whose rows come in one batch of the stream. */
  readonly requests: number;
  readonly timing: Timing;
}

/**
 * A batch of the stream holds a hundred small requests, or one large one. A bulk send's parts are read one after the
 * other, a single message has none; messages of the outbox are sent ten a call, five calls at once. A row of the
 * stream is read as by FanOutStates.
 */
export function dispatchOf(bulkSize: number): Dispatch {
  const requests = bulkSize >= recipientsPerPart ? 1 : streams.batchSize;
  const parts = requests * Math.ceil(bulkSize / recipientsPerPart);
  return {
    requests,
    timing: {
      tableCalls: bulkSize > 1 ? parts : 0,
      queueCalls: Math.ceil(parts / 50),
      cpuMs:
        assumedCpuMs.request +
        requests * (measuredCpuMs.fannedOutState + bulkSize * assumedCpuMs.dispatchedRecipient),
    },
  };
}

/** Of one invocation. Writes of receipts go 48 at once, and the CPU is the limit long before the table is. */
export function receiptsTiming(receipts: number): Timing {
  return {
    tableCalls: 2 + Math.ceil(receipts / 48),
    queueCalls: 0,
    cpuMs: receipts * measuredCpuMs.receipt,
  };
}

/** The batches of ten are sent five at once. */
export function fanOutTiming(records: number): Timing {
  return {
    tableCalls: 0,
    queueCalls: Math.ceil(records / 50),
    cpuMs: records * measuredCpuMs.fannedOutState,
  };
}

/** A batch lasts as long as its slowest attempt. */
export function deliverTiming(callbacks: number): Timing {
  return {
    tableCalls: 0,
    queueCalls: 0,
    cpuMs: callbacks * (measuredCpuMs.callback + assumedCpuMs.tls),
    outsideMs: assumedMs.slowestOfTen,
  };
}

export const timings = {
  AuthorizePartner: request(1),
  GetSync: request(1),
  ProcessSlice: { tableCalls: 10, queueCalls: 0, cpuMs: placesPerSlice * assumedCpuMs.place },
  OpenCheckIn: request(3),
  ListCheckIns: request(1),
  RegisterCheckIn: request(3),
  SendMessage: request(2),
  ResumeCallbacks: request(2),
} as const satisfies Partial<Record<FunctionName, Timing>>;
