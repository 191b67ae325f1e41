import { configOf } from '../../infra/config.ts';
import type { Load } from './load.ts';

/** Batches are taken as full. */
export const batch = {
  receiptsAMessage: 500,
  receiptMessages: 5,
  recipientsAPart: 1_000,
} as const;

/** Accepted requests whose rows come in one batch of the stream: one large one, or a hundred small ones. */
export function requestsPerDispatch({ bulkSize }: Load): number {
  return bulkSize >= batch.recipientsAPart ? 1 : configOf('prod').streams.batchSize;
}

/** Assumed: single-digit milliseconds for the table, a little more for a batch of the queue. */
const assumedMs = { tableCall: 5, queueCall: 10, partner: 100, slowestPartnerOfTen: 170 } as const;

/** Assumed: how many bulk sends a batch of the stream tells of, where receipts do not come in their order. */
export const sendsABatch = 25;

/** Receipts that share a write: single messages have a row each. */
export function receiptsPerWrite({ bulkSize, receiptsARow }: Load): number {
  return Math.min(bulkSize, receiptsARow);
}

/** FanOutStates puts callbacks of one send into messages of 40. */
export function callbacksPerMessage(load: Load): number {
  const { batchSize } = configOf('prod').streams;
  return load.bulkSize === 1 ? 1 : Math.min(40, (batchSize * receiptsPerWrite(load)) / sendsABatch);
}

/** Published: a function of so much memory has one vCPU. */
const memoryMbPerVcpu = 1_769;

/**
 * How one invocation spends its time. Durations in AWS were never measured: they are estimated from the calls that
 * wait for each other, as the code makes them, and the CPU time on a development machine.
 */
export interface Invocation {
  readonly memoryMb: number;
  /** Measured: means of the local service's log files, of 5,100 pushes and 100 check-ins. */
  readonly logBytes: number;
  readonly tableCalls: number;
  readonly queueCalls?: number;
  /**
   * Measured on two shared cores of an AMD EPYC in November 2026: StartSync, ProcessList, SendBulk (docs/performance.md), a
   * receipt 0.02 and its row 0.8, a record of the stream 0.1 and each of its states 0.03, a callback 0.13. Assumed: 0.1
   * for its TLS, 3 for any other request, 0.01 for a dispatched recipient.
   */
  readonly cpuMs: number;
  readonly outsideMs?: number;
}

const { sizes, queues, streams } = configOf('prod');
const endpoint = { memoryMb: sizes.endpoint.memoryMb, cpuMs: 3 } as const;
const worker = { memoryMb: sizes.worker.memoryMb } as const;
const listEndpoint = { memoryMb: sizes.listEndpoint.memoryMb } as const;

/** Every function that a load keeps busy, with full batches. */
export function invocationsFor(load: Load) {
  const { places, bulkSize } = load;
  const changed = (places * load.changedPercent) / 100;
  const dispatched = requestsPerDispatch(load);
  const parts = dispatched * Math.ceil(bulkSize / batch.recipientsAPart);
  const receipts = batch.receiptsAMessage * batch.receiptMessages;
  const receiptRows = receipts / receiptsPerWrite(load);
  const callbacks = callbacksPerMessage(load) * queues.batchSize;
  return {
    AuthorizePartner: { memoryMb: sizes.authorizer.memoryMb, logBytes: 311, tableCalls: 1, cpuMs: 3 },
    StartSync: { ...listEndpoint, logBytes: 686, tableCalls: 1, queueCalls: 1, cpuMs: 3 + 0.01 * places },
    GetSync: { ...endpoint, logBytes: 460, tableCalls: 1 },
    // Reads pages of 1 MB, about 2,000 places, and writes 25 places a call, four calls at once.
    ProcessList: {
      memoryMb: sizes.listWorker.memoryMb,
      logBytes: 543,
      tableCalls: 3 + Math.ceil(places / 2_000) + Math.ceil(changed / 100),
      cpuMs: 3 + 0.016 * places + 0.06 * changed,
    },
    OpenCheckIn: { ...endpoint, memoryMb: sizes.checkInOpening.memoryMb, logBytes: 440, tableCalls: 3 },
    ListCheckIns: { ...endpoint, logBytes: 431, tableCalls: 1 },
    RegisterCheckIn: { ...endpoint, logBytes: 421, tableCalls: 4 },
    SendMessage: { ...endpoint, logBytes: 664, tableCalls: 2 },
    // Reads recipients 100 a call, 8 calls at once, and writes parts of 1,000, 4 at once.
    SendBulk: {
      ...listEndpoint,
      logBytes: 740,
      tableCalls: 2 + Math.ceil(bulkSize / 800) + Math.ceil(bulkSize / 4_000),
      cpuMs: 2.6 + 0.012 * bulkSize,
    },
    // Reads the parts of a bulk send in turn, and sends ten messages a call, five calls at once.
    DispatchMessages: {
      ...listEndpoint,
      logBytes: 558,
      tableCalls: bulkSize > 1 ? parts : 0,
      queueCalls: Math.ceil(parts / 50),
      cpuMs: 3 + dispatched * (0.12 + 0.01 * bulkSize),
    },
    // 48 writes at once; the CPU is the limit long before the table is.
    RecordReceipts: {
      ...worker,
      logBytes: 644 * batch.receiptMessages,
      tableCalls: 2 + Math.ceil(receiptRows / 48),
      cpuMs: 0.02 * receipts + 0.8 * receiptRows,
    },
    FanOutStates: {
      ...worker,
      logBytes: 360,
      tableCalls: 2,
      queueCalls: 2,
      cpuMs: streams.batchSize * (0.1 + 0.03 * receiptsPerWrite(load)),
    },
    // Ten attempts at once; a small batch lasts as long as its slowest.
    DeliverCallback: {
      memoryMb: sizes.callbackAttempt.memoryMb,
      logBytes: (700 + 50 * callbacksPerMessage(load)) * queues.batchSize,
      tableCalls: 0,
      cpuMs: (0.13 + 0.1) * callbacks,
      outsideMs: Math.max(assumedMs.slowestPartnerOfTen, (callbacks / 10) * assumedMs.partner),
    },
    ShowMessages: { ...worker, logBytes: 500, tableCalls: 2, queueCalls: 1, cpuMs: 3 },
    ReportReceipts: { ...worker, logBytes: 400, tableCalls: 0, queueCalls: 1, cpuMs: 1 },
    GetPhone: { ...endpoint, logBytes: 450, tableCalls: 2 },
    OpenPhoneMessage: { ...endpoint, logBytes: 450, tableCalls: 2, queueCalls: 1 },
    TakeSandboxCallback: { ...endpoint, logBytes: 450, tableCalls: 3 },
    ResumeCallbacks: { memoryMb: sizes.callbackResume.memoryMb, logBytes: 640, tableCalls: 2, cpuMs: 3 },
  } as const satisfies Record<string, Invocation>;
}

export type FunctionName = keyof ReturnType<typeof invocationsFor>;

export function durationMs(invocation: Invocation): number {
  const { memoryMb, tableCalls, queueCalls = 0, cpuMs, outsideMs = 0 } = invocation;
  const calls = tableCalls * assumedMs.tableCall + queueCalls * assumedMs.queueCall;
  return calls + outsideMs + cpuMs / Math.min(1, memoryMb / memoryMbPerVcpu);
}
