import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from './table.ts';

/** Whether a conditional write was applied; when not, `existing` is the row that failed the condition. */
export type Conditional = { applied: true; result: Result } | { applied: false; existing?: Row };

type Row = Record<string, unknown>;
/** `Attributes` is there when the write asks for them by `ReturnValues`. */
type Result = { Attributes?: Row | undefined };

/** A write with a condition: everything of the command but the table's name. */
type Write<Input> = Omit<Input, 'TableName'> & { ConditionExpression: string };

export function putIf(table: Table, write: Write<PutCommandInput>): Promise<Conditional> {
  return conditional(table.client.send(new PutCommand({ TableName: table.name, ...write })));
}

export function updateIf(table: Table, write: Write<UpdateCommandInput>): Promise<Conditional> {
  return conditional(table.client.send(new UpdateCommand({ TableName: table.name, ...write })));
}

export function deleteIf(table: Table, write: Write<DeleteCommandInput>): Promise<Conditional> {
  return conditional(table.client.send(new DeleteCommand({ TableName: table.name, ...write })));
}

/** Turns a failed condition into a value; any other failure stays an exception. */
async function conditional(write: Promise<Result>): Promise<Conditional> {
  try {
    return { applied: true, result: await write };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ? { applied: false, existing: unmarshall(error.Item) } : { applied: false };
  }
}
