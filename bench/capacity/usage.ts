import { configOf } from '../../infra/config.ts';
import { daysAMonth, eventsOf, type Load, type Times, times } from './load.ts';
import {
  batch,
  callbacksPerMessage,
  durationMs,
  type FunctionName,
  invocationsFor,
  receiptsPerWrite,
  requestsPerDispatch,
  sendsABatch,
} from './measured.ts';
import type { Resource } from './prices.ts';

type Use = Readonly<Partial<Record<Resource, number>>>;

/**
 * Something that happens so often, and what it uses each time. Units of the table are measured on an engine that counts
 * as DynamoDB does (test/integration/units.test.ts, docs/data-model.md, "What a request costs"), without an
 * Idempotency-Key, which adds 2 writes to a request.
 */
interface Row {
  readonly times: Times;
  readonly use?: Use;
  /** The function that runs for it. */
  readonly runs?: FunctionName;
}

/** A row with what its invocation and its way through the gateway use. */
export interface Usage extends Row {
  /** `check-ins` */
  readonly area: string;
  readonly use: Use;
  /** How long the function runs. */
  readonly ms: number;
}

/** Assumed: a waiting partner asks for its session a few times, and a cash desk for its list a few times per guest. */
const pollsPerSession = 5;
const listsPerCheckIn = 3;

const gb = 1e9;
/** Lambda's own: memory is counted in powers of two. */
const mbPerGb = 1_024;

/** Written by Lambda about an invocation (START, END, REPORT) and by the gateway about a request. Estimated. */
const platformLogBytes = 350;
const gatewayLogBytes = 450;

/** Estimated from the rows' attributes, with DynamoDB's 100 bytes of overhead each. */
function stored(bytes: number): Use {
  return { storedGb: bytes / gb };
}

/** For what costs whatever happens in the busiest second. */
function inAMonth(month: number): Times {
  return { month, second: 0 };
}

const monthHours = daysAMonth * 24;

/** Metrics that regular work reports. Each is charged for the hours in which it is. */
function metrics(customMetrics: number, hours: number): Row {
  return { times: inAMonth(Math.min(hours, monthHours) / monthHours), use: { customMetrics } };
}

function servicePoints(load: Load): Row[] {
  const { sessions } = eventsOf(load);
  const polls = times(sessions, pollsPerSession);
  const places = times(sessions, load.places);
  return [
    { times: sessions, use: { writes: 1, httpRequests: 1 }, runs: 'StartSync' },
    { times: polls, use: { reads: 1, httpRequests: 1 }, runs: 'GetSync' },
    // Its record and its end. A place takes about 90 bytes of the message: sent, received, deleted.
    {
      times: sessions,
      use: { reads: 1, writes: 2, fifoQueueRequests: 2 * Math.ceil((90 * load.places) / 65_536) + 1 },
      runs: 'ProcessList',
    },
    // 796 read units for 10,000 places of 0.3 kB.
    { times: places, use: { reads: 0.0796 } },
    { times: times(places, load.changedPercent / 100), use: { writes: 1 } },
    { times: inAMonth(load.partners * load.places), use: stored(500) },
    metrics(3, sessions.month),
  ];
}

function checkIns(load: Load): Row[] {
  const opened = eventsOf(load).checkIns;
  const listed = times(opened, listsPerCheckIn);
  return [
    { times: opened, use: { reads: 2.5, writes: 3, httpRequests: 1 }, runs: 'OpenCheckIn' },
    { times: listed, use: { reads: 1, httpRequests: 1 }, runs: 'ListCheckIns' },
    { times: opened, use: { reads: 2, writes: 2, httpRequests: 1 }, runs: 'RegisterCheckIn' },
    { times: opened, use: stored(300) },
    metrics(2, opened.month),
  ];
}

/** Sent, received and deleted. About 74 bytes a recipient, and a request of the queue for each begun 64 kB. */
function outboxRequests(recipients: number): number {
  return 2 * Math.ceil((500 + 74 * recipients) / 65_536) + 1;
}

function push(load: Load): Row[] {
  const { pushes, pushRequests } = eventsOf(load);
  const parts = times(pushRequests, Math.ceil(load.bulkSize / batch.recipientsAPart));
  const shown = Math.min(batch.recipientsAPart, load.bulkSize) * (load.registeredPercent / 100);
  // 10,000 recipients: 5,000 read and 82 write units, with the request's own row and its lease of the rate.
  const perRecipient = { reads: 0.5, writes: 0.008, ...stored(8) };
  const accepted: Row[] =
    load.bulkSize === 1
      ? [
          { times: pushes, use: { reads: 0.5, writes: 1, httpRequests: 1 }, runs: 'SendMessage' },
          { times: pushes, use: stored(700) },
        ]
      : [
          { times: pushRequests, use: { writes: 1, httpRequests: 1 }, runs: 'SendBulk' },
          { times: pushes, use: perRecipient },
          { times: parts, use: { reads: 2 } },
        ];
  return [
    ...accepted,
    // A lease is for a thousand pushes, or for one larger request.
    { times: times(pushes, 1 / Math.max(1_000, load.bulkSize)), use: { writes: 1 } },
    { times: times(pushRequests, 1 / requestsPerDispatch(load)), runs: 'DispatchMessages' },
    { times: parts, use: { standardQueueRequests: outboxRequests(shown) } },
    // Of receipts and callbacks too, and of open circuits.
    metrics(8, Math.min(pushes.month, load.hours * load.pushDays)),
  ];
}

function receipts(load: Load): Row[] {
  const { states } = eventsOf(load);
  const single = load.bulkSize === 1;
  const batches = times(states, 1 / (batch.receiptsAMessage * batch.receiptMessages));
  // 500 receipts are some 68 kB: two requests to send them, two to receive them. A batch is deleted at once.
  const queue = { standardQueueRequests: 4 * batch.receiptMessages + 1 };
  const shown = times(states, 1 / (1 + load.openedPercent / 100));
  return [
    { times: times(states, 1 / receiptsPerWrite(load)), use: { writes: 1 } },
    { times: states, use: { reads: single ? 0.5 : 1.5 / batch.receiptsAMessage } },
    { times: batches, use: queue, runs: 'RecordReceipts' },
    { times: inAMonth(shown.month), use: stored(single ? 350 : 50) },
  ];
}

function callbacks(load: Load): Row[] {
  const { callbacks: all, failingCallbacks: failing } = eventsOf(load);
  const { batchSize } = configOf('prod').queues;
  const perBatch = callbacksPerMessage(load) * batchSize;
  // Of a single message; or of the sends and parts that a batch of the stream tells of.
  const readsARecord = load.bulkSize === 1 ? 0.5 : (1.5 * sendsABatch) / configOf('prod').streams.batchSize;
  return [
    { times: all, use: { reads: 0.005 } },
    // Ten messages of up to 6 kB are sent, received and deleted at once.
    { times: times(all, 1 / perBatch), use: { fairQueueRequests: 3 }, runs: 'DeliverCallback' },
    // 4 writes for the failure; 7 for the retry, estimated: claim and outcome, each with its entry of the index `due`,
    // and 2 for the move to another status in the index `listed`.
    { times: failing, use: { reads: 1.5, writes: 4 + 7, fairQueueRequests: 1.2 } },
    // Retries travel between full messages.
    { times: times(failing, 1 / perBatch), runs: 'DeliverCallback' },
    { times: times(all, 1 / receiptsPerWrite(load)), use: { reads: readsARecord } },
    { times: times(all, 1 / (100 * receiptsPerWrite(load))), runs: 'FanOutStates' },
    // A signed callback with its headers, TLS records and acknowledgements, estimated.
    { times: times(all, 1 + load.failingCallbacksPercent / 100), use: { gbOut: 1_500 / gb } },
  ];
}

/** The gateway keeps a verdict: a partner with one login is looked up once a period, however many its requests. */
function signIn(load: Load): Row[] {
  const { sessions, checkIns: opened, pushRequests } = eventsOf(load);
  const { authorizerCacheSeconds } = configOf('prod');
  // The wallet platform opens check-ins and signs in by IAM.
  const requests = (of: keyof Times) =>
    sessions[of] * (1 + pollsPerSession) + opened[of] * (listsPerCheckIn + 1) + pushRequests[of];
  const lookUps = (of: keyof Times, seconds: number) =>
    Math.min(requests(of), (load.partners * seconds) / authorizerCacheSeconds);
  const verdicts = { month: lookUps('month', daysAMonth * 24 * 3_600), second: lookUps('second', 1) };
  return [{ times: verdicts, use: { reads: 0.5 }, runs: 'AuthorizePartner' }];
}

/** Of a simulated platform. Its phones show the newest 100 messages, and each is read before it is opened. */
function wallet(load: Load): Row[] {
  const { pushes, callbacks: all } = eventsOf({ ...load, hours: load.hours * load.simulatedWallet });
  const look = { reads: 10, httpRequests: 1 };
  return [
    { times: pushes, use: { reads: 1, writes: 1, ...stored(600) }, runs: 'ShowMessages' },
    // Its receipts wait in a queue of its own: sent, received, deleted.
    { times: pushes, use: { standardQueueRequests: 3 }, runs: 'ReportReceipts' },
    { times: pushes, use: look, runs: 'GetPhone' },
    { times: pushes, use: { ...look, writes: 1, standardQueueRequests: 1 }, runs: 'OpenPhoneMessage' },
    // With the entry of the callback in the log of its endpoint.
    { times: all, use: { reads: 1, writes: 3, httpRequests: 1 }, runs: 'TakeSandboxCallback' },
  ];
}

/**
 * What stands in the templates of a stage, as a test checks: an alarm as often as it has metrics, as it is charged, and
 * queues that invoke a function.
 */
export const standing = {
  prod: { alarms: 88, dashboards: 1, keys: 1, polledQueues: 5 },
  sandbox: { alarms: 82, dashboards: 1, keys: 1, polledQueues: 7 },
} as const;

/** Whatever the load. Requests to the key are estimated. */
function always({ simulatedWallet }: Load): Row[] {
  const minutes = monthHours * 60;
  const { polledQueues, ...items } = simulatedWallet ? standing.sandbox : standing.prod;
  return [
    { times: inAMonth(minutes), use: { reads: 4.5 }, runs: 'ResumeCallbacks' },
    // Five pollers each ask an empty queue every 20 s.
    { times: inAMonth(minutes), use: { standardQueueRequests: polledQueues * 5 * 3 } },
    { times: inAMonth(1), use: { ...items, keyRequests: 500_000 } },
    metrics(1, monthHours),
  ];
}

const areas: Readonly<Record<string, (load: Load) => Row[]>> = {
  'service points': servicePoints,
  'check-ins': checkIns,
  push,
  receipts,
  callbacks,
  'simulated wallet': wallet,
  'sign-in': signIn,
  standing: always,
};

/** The whole model: everything that happens, how often, and what it uses. Batches are taken as full. */
export function usageOf(load: Load): Usage[] {
  const invocations = invocationsFor(load);
  const withInvocation = (area: string, row: Row): Usage => {
    if (!row.runs) return { ...row, area, use: row.use ?? {}, ms: 0 };
    const { memoryMb, logBytes } = invocations[row.runs];
    const ms = durationMs(invocations[row.runs]);
    const loggedBytes = logBytes + platformLogBytes + (row.use?.httpRequests ?? 0) * gatewayLogBytes;
    const gbSeconds = (ms / 1_000) * (memoryMb / mbPerGb);
    const use = { ...row.use, invocations: 1, gbSeconds, logGb: loggedBytes / gb };
    return { ...row, area, use, ms };
  };
  return Object.entries(areas).flatMap(([area, rows]) => rows(load).map((row) => withInvocation(area, row)));
}

/** How much of something is used in a month, or in the busiest second. */
export function sumOf(usage: readonly Usage[], resource: Resource, per: keyof Times): number {
  return usage.reduce((sum, row) => sum + row.times[per] * (row.use[resource] ?? 0), 0);
}
