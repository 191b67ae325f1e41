import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import * as library from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { EngineCall } from '../../local/engines/engine-proxy.ts';

/** One call of an engine, as it went over the wire. */
export type RecordedCall = Pick<EngineCall, 'service' | 'operation'> & { input: unknown };

const client = library.DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 4 }), {
  marshallOptions: { removeUndefinedValues: true },
});
const sqs = new SQSClient({ maxAttempts: 4 });

type Send = () => Promise<unknown>;

type CommandClass = new (input: never) => Parameters<typeof client.send>[0];

/** `BatchWriteItem` -> `BatchWriteCommand` */
function findCommand(operation: string): CommandClass {
  const name = `${operation.replace(/Items?$/, '')}Command`;
  const command = Object.entries(library).find(([exported]) => exported === name)?.[1];
  if (!command) throw new Error(`the document client has no ${name}`);
  return command as unknown as CommandClass;
}

const maps = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

/** Turns a recorded value back into the document client's input. Binary values are base64 on the wire. */
function document(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return new Uint8Array(Buffer.from(value, 'base64'));
  if (maps.has(name)) return unmarshall(value as never);
  if (name === 'Keys') return (value as never[]).map((key) => unmarshall(key));
  // A transaction with the recorded token would count as done, so the SDK makes a new token.
  return name === 'ClientRequestToken' ? undefined : value;
}

function makeSend({ service, operation, input }: RecordedCall): Send {
  if (service === 'sqs') {
    if (operation !== 'SendMessageBatch') throw new Error(`the bare handler does not know ${operation}`);
    return () => sqs.send(new SendMessageBatchCommand(input as SendMessageBatchCommandInput));
  }
  const Command = findCommand(operation);
  const prepared = JSON.parse(JSON.stringify(input), document) as never;
  return () => client.send(new Command(prepared));
}

/** Builds the commands before time is measured. */
export function prepare<Event extends { calls: readonly RecordedCall[] }>(event: Event) {
  return { ...event, calls: event.calls.map(makeSend) };
}

const refused = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException']);

/** A condition that does not hold is a response, as it is for the function. */
function responseTo(send: Send): Promise<unknown> {
  return send().catch((error: unknown) => {
    if (error instanceof Error && refused.has(error.name)) return undefined;
    throw error;
  });
}

/** The baseline for warm requests: makes the same calls, one after the other, without schemas, rules or a log. */
export async function handler({ body, calls }: { body?: string; calls: Send[] }) {
  const requested = body ? JSON.parse(body) : undefined;
  const found: unknown[] = [];
  for (const send of calls) {
    const { Items, Item, Attributes } = ((await responseTo(send)) ?? {}) as Record<string, unknown>;
    found.push(Items ?? Item ?? Attributes);
  }
  return { statusCode: 200, body: JSON.stringify(requested ?? found) };
}
