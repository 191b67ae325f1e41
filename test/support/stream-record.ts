import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';

let sequence = 0;

/** A change of a row as the stream shows it: what the row was before and is after, and when it was changed. */
export function streamRecord(after: object | undefined, before?: object, atMs?: number): DynamoDBRecord {
  sequence += 1;
  const image = (row: object) => marshall(row, { removeUndefinedValues: true });
  return {
    eventID: `event-${sequence}`,
    eventName: before ? 'MODIFY' : 'INSERT',
    dynamodb: {
      SequenceNumber: String(sequence).padStart(21, '0'),
      ...(atMs === undefined ? {} : { ApproximateCreationDateTime: Math.floor(atMs / 1_000) }),
      ...(after ? { NewImage: image(after) } : {}),
      ...(before ? { OldImage: image(before) } : {}),
    },
  } as DynamoDBRecord;
}
