import { queues, sizes, streams } from '../../infra/config.ts';
import { assumedMs, type Invocation, run } from './invocation.ts';
import { countEvents, daysAMonth, type Events, type Load, type Times, times } from './load.ts';
import { usageOfFunctions } from './per-function.ts';
import { queueRequests } from './prices.ts';
import { inAMonth, monthHours, type Usage, type Use } from './use.ts';

const { endpoint, listEndpoint } = sizes;

/** How often something happens, what it uses each time, and which function runs for it. */
type ModelRow = readonly [times: Times, use: Use, run?: Invocation];

// Batches are taken as full: five messages of 500 receipts, parts of 1,000 recipients, messages of 40 callbacks.
const receiptsAMessage = 500;
const receiptMessages = 5;
const recipientsAPart = 1_000;
const mostCallbacksPerMessage = 40;

/** A function leases a thousandth of a partner's default rate, or what a request needs if that is more. */
export const leasedAtLeast = 100;

/** Assumed: one batch of the stream is about this many bulk sends, where receipts do not come in their order. */
const sendsABatch = 25;

/** Assumed: a partner polls its session this often, and a cash desk requests its list this often for a guest. */
const pollsPerSession = 5;
const listsPerCheckIn = 3;

/** A function's line is measured; the gateway's is estimated. Lambda writes none about an invocation that succeeds. */
const logBytes = { line: 440, gateway: 450 } as const;

const request = { httpRequests: 1 };
const gb = 1e9;
/** GB months for a byte of a message or its states, which are kept for 39 days. */
const keptGb = 39 / daysAMonth / gb;

/** Receipts that share a write. Single messages have a row each. */
function receiptsPerWrite({ bulkSize, receiptsARow }: Load): number {
  return Math.min(bulkSize, receiptsARow);
}

function callbacksPerMessage(load: Load): number {
  if (load.bulkSize === 1) return 1;
  return Math.min(mostCallbacksPerMessage, (streams.batchSize * receiptsPerWrite(load)) / sendsABatch);
}

/** Metrics are charged for the hours in which regular work reports them. */
function metrics(customMetrics: number, hours: number): ModelRow {
  return [inAMonth(Math.min(hours, monthHours) / monthHours), { customMetrics }];
}

/**
 * The resources in the templates of each stage: an alarm is charged for each of its metrics, and queues that invoke a
 * function are polled. test/infra/costs.test.ts counts them.
 */
export const standing = {
  prod: { alarms: 95, insightRules: 1, dashboards: 1, keys: 2, polledQueues: 6 },
  sandbox: { alarms: 102, insightRules: 0, dashboards: 1, keys: 2, polledQueues: 9 },
} as const;

/**
 * Everything that happens, by area. Units of the table are measured on an engine that counts as DynamoDB does
 * (test/e2e/unit-budgets.test.ts, test/integration/costs); an Idempotency-Key adds 2 writes to a request. Stored bytes are
 * estimated from the attributes of rows, with DynamoDB's 100 bytes for each.
 */
const areas: Readonly<Record<string, (load: Load, events: Events) => readonly ModelRow[]>> = {
  'service points': ({ partners, places, changedPercent }, { sessions }) => {
    const changed = (places * changedPercent) / 100;
    // Reads pages of 1 MB, about 2,000 places, and writes 25 places a call, four calls at once.
    const calls = 3 + Math.ceil(places / 2_000) + Math.ceil(changed / 100);
    const cpuMs = 3 + 0.016 * places + 0.06 * changed;
    const process = run('ProcessSync', sizes.listWorker, [calls], { cpuMs });
    const start = run('StartSync', listEndpoint, [1, 1], { cpuMs: 3 + 0.01 * places });
    return [
      [sessions, { writes: 1, ...request }, start],
      [times(sessions, pollsPerSession), { reads: 1, ...request }, run('GetSync', endpoint, [1])],
      // Writes its record and its end. A place takes about 90 bytes of the message.
      [sessions, { reads: 1, writes: 2, fifoQueueRequests: queueRequests(90 * places) }, process],
      // 10,000 places of 0.3 kB take 796 read units.
      [times(sessions, places), { reads: 0.0796, writes: changedPercent / 100 }],
      [inAMonth(partners * places), { storedGb: 500 / gb }],
      metrics(3, sessions.month),
    ];
  },
  'check-ins': (_load, { checkIns }) => [
    [checkIns, { reads: 2.5, writes: 3, ...request }, run('OpenCheckIn', sizes.checkInOpening, [3])],
    [checkIns, { storedGb: 300 / gb }],
    [times(checkIns, listsPerCheckIn), { reads: 1, ...request }, run('ListCheckIns', endpoint, [1])],
    [checkIns, { reads: 2, writes: 2, ...request }, run('RegisterCheckIn', endpoint, [4])],
    // The gateway reports six for each of two routes.
    metrics(12, checkIns.month),
  ],
  push: (load, { pushes, pushRequests }) => {
    const { bulkSize, registeredPercent } = load;
    const perRequest = Math.ceil(bulkSize / recipientsAPart);
    const parts = times(pushRequests, perRequest);
    const shown = Math.min(recipientsAPart, bulkSize) * (registeredPercent / 100);
    // A batch of the stream has one large request, or a hundred small ones.
    const dispatched = bulkSize >= recipientsAPart ? 1 : streams.batchSize;
    const partsRead = dispatched * perRequest;
    // Reads the parts one after the other, and sends ten messages a call, five calls at once.
    const dispatchCalls = [bulkSize > 1 ? partsRead : 0, Math.ceil(partsRead / 50)] as const;
    const cpuMs = 3 + dispatched * (0.12 + 0.01 * bulkSize);
    const dispatch = run('DispatchMessages', listEndpoint, dispatchCalls, { cpuMs });
    // Reads recipients 100 a call, 8 calls at once, and writes parts of 1,000, 4 at once.
    const calls = 2 + Math.ceil(bulkSize / 800) + Math.ceil(bulkSize / 4_000);
    const sendBulk = run('SendBulk', listEndpoint, [calls], { cpuMs: 2.6 + 0.012 * bulkSize });
    const sends: ModelRow[] = [
      [pushRequests, { writes: 2, storedGb: 250 * keptGb, ...request }, sendBulk],
      // 10,000 recipients take 5,000 read and 83 write units, with the request's own row, the list's and the rate's lease.
      [pushes, { reads: 0.5, writes: 0.008, storedGb: 8 * keptGb }],
      [parts, { reads: 2 }],
    ];
    const ofSingle = { reads: 0.5, writes: 1, storedGb: 700 * keptGb, ...request };
    const single: ModelRow = [pushes, ofSingle, run('SendMessage', endpoint, [2])];
    return [
      ...(bulkSize === 1 ? [single] : sends),
      // A lease is for a hundred pushes, or for one larger request.
      [times(pushes, 1 / Math.max(leasedAtLeast, bulkSize)), { writes: 1 }],
      [times(pushRequests, 1 / dispatched), {}, dispatch],
      // A recipient takes about 74 bytes.
      [parts, { standardQueueRequests: queueRequests(500 + 74 * shown) }],
      // These include the metrics of receipts, callbacks and open circuits.
      metrics(8, Math.min(pushes.month, load.hours * load.pushDays)),
    ];
  },
  receipts: (load, { pushes, states }) => {
    const single = load.bulkSize === 1;
    const count = receiptsAMessage * receiptMessages;
    const rows = count / receiptsPerWrite(load);
    // Makes 48 writes at once. The CPU is the limit long before the table is.
    const record = run('RecordReceipts', sizes.worker, [2 + Math.ceil(rows / 48)], {
      cpuMs: 0.02 * count + 0.8 * rows,
    });
    // 500 receipts are some 68 kB: two requests to send them, two to receive them. A batch is deleted at once.
    const queue = { standardQueueRequests: 4 * receiptMessages + 1 };
    return [
      [times(states, 1 / receiptsPerWrite(load)), { writes: 1 }],
      [states, { reads: single ? 0.5 : 1.5 / receiptsAMessage }],
      [times(states, 1 / count), { ...queue, logGb: (receiptMessages * logBytes.line) / gb }, record],
      [inAMonth(pushes.month * (load.registeredPercent / 100)), { storedGb: (single ? 350 : 50) * keptGb }],
    ];
  },
  callbacks: (load, { callbacks, failingCallbacks }) => {
    const perBatch = callbacksPerMessage(load) * queues.batchSize;
    // Makes ten attempts at once; a small batch lasts as long as its slowest.
    const deliver = run('DeliverCallback', sizes.callbackAttempt, [0], {
      cpuMs: (0.13 + 0.1) * perBatch,
      partnersMs: Math.max(assumedMs.slowestPartnerOfTen, (perBatch / 10) * assumedMs.partner),
    });
    const log = { logGb: (queues.batchSize * 700 + perBatch * 50) / gb };
    const records = times(callbacks, 1 / receiptsPerWrite(load));
    const cpuMs = streams.batchSize * (0.1 + 0.03 * receiptsPerWrite(load));
    return [
      // The endpoint is read now and then. A signed callback takes 1,500 bytes with its headers and TLS, estimated.
      [callbacks, { reads: 0.005, gbOut: 1_500 / gb }],
      // Ten messages of up to 6 kB are sent, received and deleted at once.
      [times(callbacks, 1 / perBatch), { fairQueueRequests: 3, ...log }, deliver],
      // 4 writes for the failure, and 7 for the retry, estimated: claim and outcome with their entries of the index
      // `due`, and 2 for the move to another status in the index `listed`. Retries travel between full messages.
      [failingCallbacks, { reads: 1.5, writes: 4 + 7, fairQueueRequests: 1.2, gbOut: 1_500 / gb }],
      [times(failingCallbacks, 1 / perBatch), log, deliver],
      // A record of the stream leads to a single message, or to the sends and parts that the batch is about.
      [records, { reads: load.bulkSize === 1 ? 0.5 : (1.5 * sendsABatch) / streams.batchSize }],
      [times(records, 1 / streams.batchSize), {}, run('FanOutStates', sizes.worker, [2, 2], { cpuMs })],
    ];
  },
  // Phones show the newest 100 messages, and each message is read before it is opened.
  'simulated wallet': ({ simulatedWallet }, { pushes, callbacks }) => {
    const shown = times(pushes, simulatedWallet);
    const look = { reads: 10, ...request };
    const open = { ...look, writes: 1, standardQueueRequests: 1 };
    // The third write is the callback's entry in the log of its endpoint.
    const taken = { reads: 1, writes: 3, ...request };
    return [
      [shown, { reads: 1, writes: 1, storedGb: 600 / gb }, run('ShowMessages', sizes.worker, [2, 1])],
      [shown, { standardQueueRequests: queueRequests(1) }, run('ReportReceipts', sizes.worker, [0, 1])],
      [shown, look, run('GetPhone', endpoint, [2])],
      [shown, open, run('OpenPhoneMessage', endpoint, [2, 1])],
      [times(callbacks, simulatedWallet), taken, run('TakeSandboxCallback', endpoint, [3])],
    ];
  },
  standing: ({ simulatedWallet }) => {
    const { polledQueues, ...items } = simulatedWallet ? standing.sandbox : standing.prod;
    // Five pollers each ask an empty queue every 20 s.
    const ofMinute = { reads: 16.5, writes: 1, standardQueueRequests: polledQueues * 5 * 3 };
    const monthMinutes = inAMonth(monthHours * 60);
    return [
      [monthMinutes, ofMinute, run('SweepDue', sizes.dueSweep, [2])],
      // Each heartbeat invokes both readers of the stream.
      [monthMinutes, {}, run('DispatchMessages', listEndpoint, [0])],
      [monthMinutes, {}, run('FanOutStates', sizes.worker, [0])],
      [inAMonth(1), items],
      metrics(1, monthHours),
    ];
  },
};

export function estimateUsage(load: Load): Usage[] {
  const events = countEvents(load);
  const usage = Object.entries(areas).flatMap(([area, rowsOf]) =>
    rowsOf(load, events).map(([of, use, run]) => ({ area, times: of, use: withRun(use, run), run })),
  );
  return [...usage, ...usageOfFunctions(usage, load)];
}

function withRun(use: Use, run: Invocation | undefined): Use {
  if (!run) return use;
  const { httpRequests = 0, logGb = 0 } = use;
  const bytes = logBytes.line + httpRequests * logBytes.gateway;
  // Lambda counts memory in powers of two.
  const gbSeconds = (run.ms / 1_000) * (run.memoryMb / 1_024);
  return { ...use, invocations: 1, gbSeconds, logGb: logGb + bytes / gb };
}
