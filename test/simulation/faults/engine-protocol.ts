import type { WireFault } from './fault-plan.ts';

export type EngineName = 'dynamodb' | 'sqs';

/** One call as it travels: both engines speak JSON under an `x-amz-target`. */
export interface EngineCall {
  readonly engine: EngineName;
  /** `PutItem` */
  readonly operation: string;
  readonly body: Buffer;
}

type Json = Record<string, unknown>;

interface BatchWrite {
  readonly RequestItems: Readonly<Record<string, readonly unknown[]>>;
}

interface BatchGet {
  readonly RequestItems: Readonly<Record<string, Json & { readonly Keys: readonly unknown[] }>>;
}

interface SendBatch {
  readonly Entries: readonly (Json & { readonly Id: string })[];
}

function parse<Shape>(body: Buffer): Shape {
  return JSON.parse(body.toString()) as Shape;
}

const general: readonly WireFault[] = [
  'throttled',
  'serverError',
  'cutBefore',
  'cutAfter',
  'unanswered',
  'late',
  'slow',
];

const partly: Readonly<Record<string, WireFault>> = {
  BatchWriteItem: 'unprocessedItems',
  BatchGetItem: 'unprocessedKeys',
  SendMessageBatch: 'failedEntries',
  TransactWriteItems: 'transactionCancelled',
};

/** What can go wrong with this call. A batch of one is accepted or refused, never in part. */
export function faultsOf({ operation, body }: EngineCall): readonly WireFault[] {
  const own = partly[operation];
  if (!own) return general;
  const divisible =
    operation === 'BatchWriteItem' || operation === 'BatchGetItem' ? sizeOf(operation, body) > 1 : true;
  return divisible ? [own, ...general] : general;
}

function sizeOf(operation: string, body: Buffer): number {
  return operation === 'BatchWriteItem'
    ? Object.values(parse<BatchWrite>(body).RequestItems).flat().length
    : Object.values(parse<BatchGet>(body).RequestItems).flatMap(({ Keys }) => Keys).length;
}

/** A call of which the engine sees a part, and what its response must say of the rest. */
export interface Division {
  readonly forwarded: Json;
  readonly amend: (response: Json) => Json;
}

/** How many of `size` are left out: one at least, and all but one at most. */
function leftOut(size: number, degree: number): number {
  return 1 + Math.floor(degree * (size - 1));
}

function divideTables<Item>(
  tables: Readonly<Record<string, readonly Item[]>>,
  degree: number,
): { taken: Record<string, Item[]>; left: Record<string, Item[]> } {
  const all = Object.entries(tables).flatMap(([table, items]) => items.map((item) => ({ table, item })));
  const takenCount = all.length - leftOut(all.length, degree);
  const grouped = (rows: typeof all): Record<string, Item[]> => {
    const groups: Record<string, Item[]> = {};
    for (const { table, item } of rows) groups[table] = [...(groups[table] ?? []), item];
    return groups;
  };
  return { taken: grouped(all.slice(0, takenCount)), left: grouped(all.slice(takenCount)) };
}

function divideWrite(body: Buffer, degree: number): Division {
  const { RequestItems, ...rest } = parse<BatchWrite & Json>(body);
  const { taken, left } = divideTables(RequestItems, degree);
  return {
    forwarded: { ...rest, RequestItems: taken },
    amend: (response) => ({ ...response, UnprocessedItems: left }),
  };
}

function divideGet(body: Buffer, degree: number): Division {
  const { RequestItems, ...rest } = parse<BatchGet & Json>(body);
  const keys = Object.fromEntries(Object.entries(RequestItems).map(([table, { Keys }]) => [table, Keys]));
  const { taken, left } = divideTables(keys, degree);
  const asked = (tables: Record<string, unknown[]>): Json =>
    Object.fromEntries(
      Object.entries(tables).map(([table, Keys]) => [table, { ...RequestItems[table], Keys }]),
    );
  return {
    forwarded: { ...rest, RequestItems: asked(taken) },
    amend: (response) => ({ ...response, UnprocessedKeys: asked(left) }),
  };
}

function divideSend(body: Buffer, degree: number): Division {
  const { Entries, ...rest } = parse<SendBatch & Json>(body);
  const count = 1 + Math.floor(degree * Entries.length);
  // Every count-th, so that the failed ones stand between those that were taken.
  const failed = Entries.filter((_entry, n) => n % count === 0);
  return {
    forwarded: { ...rest, Entries: Entries.filter((entry) => !failed.includes(entry)) },
    amend: (response) => ({
      ...response,
      Failed: failed.map(({ Id }) => ({
        Id,
        SenderFault: false,
        Code: 'InternalError',
        Message: 'injected: not taken',
      })),
    }),
  };
}

/** Divides a batch: the engine takes a part, and the response lists the rest. */
export function divide({ operation, body }: EngineCall, degree: number): Division {
  if (operation === 'BatchWriteItem') return divideWrite(body, degree);
  if (operation === 'BatchGetItem') return divideGet(body, degree);
  return divideSend(body, degree);
}

export interface RefusedResponse {
  readonly status: number;
  readonly json: Json;
}

const dynamodb = 'com.amazonaws.dynamodb.v20120810#';

/** The response of AWS to a call that it refuses for now. */
export function refusal(
  { engine, body }: EngineCall,
  kind: 'throttled' | 'serverError' | 'transactionCancelled',
  degree: number,
): RefusedResponse {
  if (kind === 'transactionCancelled') return cancelled(body);
  const message = `injected: ${kind}`;
  const code = codes[engine][kind];
  const type = typeof code === 'string' ? code : (code[degree < 0.5 ? 0 : 1] ?? '');
  return { status: kind === 'throttled' ? 400 : 500, json: { __type: type, message } };
}

const codes = {
  dynamodb: {
    throttled: [`${dynamodb}ProvisionedThroughputExceededException`, `${dynamodb}ThrottlingException`],
    serverError: `${dynamodb}InternalServerError`,
  },
  sqs: {
    throttled: ['com.amazonaws.sqs#RequestThrottled', 'com.amazonaws.sqs#ThrottlingException'],
    serverError: 'com.amazonaws.sqs#InternalError',
  },
} as const;

function cancelled(body: Buffer): RefusedResponse {
  const { TransactItems } = parse<{ TransactItems: readonly unknown[] }>(body);
  const CancellationReasons = TransactItems.map((_item, n) =>
    n === 0
      ? { Code: 'TransactionConflict', Message: 'injected: another transaction is at this row' }
      : { Code: 'None' },
  );
  return {
    status: 400,
    json: {
      __type: `${dynamodb}TransactionCanceledException`,
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]',
      CancellationReasons,
    },
  };
}
