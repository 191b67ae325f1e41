/** What an operation takes of the table, and where that was measured. Table engine: Dynoxide, which counts as DynamoDB. */
export interface MeasuredUnits {
  readonly reads: number;
  readonly writes: number;
  readonly where: string;
}

const units = 'test/integration/units.test.ts';
const pushUnits = 'test/integration/push/units.test.ts';
const page = 'docs/data-model.md, "What a request costs"';
const reckoned = 'reckoned from the access patterns of docs/data-model.md, not measured';

/** Without an Idempotency-Key, which adds 2 writes to a request. */
export const measuredUnits = {
  verdict: { reads: 0.5, writes: 0, where: page },
  startSync: { reads: 0, writes: 3, where: page },
  pollSession: { reads: 1, writes: 0, where: page },
  /** 796 read units for 10,000 places of 0.3 kB. */
  unchangedPlace: { reads: 0.0796, writes: 0, where: page },
  endSlice: { reads: 0, writes: 1, where: page },
  planSlice: { reads: 0, writes: 1, where: units },
  changedPlace: { reads: 0, writes: 1, where: units },
  openCheckIn: { reads: 2.5, writes: 3, where: units },
  listCheckIns: { reads: 1, writes: 0, where: units },
  registerCheckIn: { reads: 1, writes: 2, where: units },
  sendSingle: { reads: 0.5, writes: 1, where: pushUnits },
  /** A request of 10,000: 5,000 read and 82 write units. */
  bulkRecipient: { reads: 0.5, writes: 0, where: pushUnits },
  fullPart: { reads: 0, writes: 8, where: pushUnits },
  bulkRow: { reads: 0, writes: 1, where: pushUnits },
  leaseOfRate: { reads: 0, writes: 1, where: pushUnits },
  dispatchPart: { reads: 2, writes: 0, where: 'docs/data-model.md, "Access patterns"' },
  /** 500 receipts of one bulk send in one message read its two rows once. */
  receiptMessageOfBulk: { reads: 3, writes: 0, where: page },
  receiptOfSingle: { reads: 1, writes: 0, where: pushUnits },
  newState: { reads: 0, writes: 1, where: pushUnits },
  callback: { reads: 0.005, writes: 0, where: page },
  callbackFailingOnce: { reads: 1.5, writes: 3, where: page },
  /** Claim and outcome, each with its entry of the index. */
  callbackRetry: { reads: 0, writes: 5, where: reckoned },
  minutelyResume: { reads: 4.5, writes: 0, where: page },
} as const satisfies Record<string, MeasuredUnits>;

/** Bytes of log that a unit of work writes, measured: the local service's log files, means of 5,100 pushes and 100 check-ins. */
export const logBytes = {
  AuthorizePartner: 311,
  StartSync: 686,
  GetSync: 460,
  ProcessSlice: 543,
  OpenCheckIn: 440,
  ListCheckIns: 431,
  RegisterCheckIn: 421,
  SendMessage: 664,
  SendBulk: 740,
  DispatchMessages: 558,
  RecordReceipts: 644,
  FanOutStates: 360,
  DeliverCallback: 850,
  ResumeCallbacks: 640,
} as const;

export type FunctionName = keyof typeof logBytes;

/** Written by Lambda itself about an invocation (START, END, REPORT) and by the gateway about a request. Reckoned. */
export const platformLogBytes = { invocation: 350, request: 450 } as const;

/** Reckoned from the rows' attributes, with DynamoDB's 100 bytes of overhead each. */
export const storedBytes = {
  state: 400,
  singleMessage: 700,
  recipientOfBulk: 8,
  place: 500,
  checkIn: 300,
} as const;

/** A signed callback with its headers, TLS records and acknowledgements. Reckoned. */
export const bytesOutPerCallback = 1_500;
