import type { StreamRecord as Change, DynamoDBRecord } from 'aws-lambda';
import { account } from '../template/account.ts';

/** A record as `GetRecords` gives it in JSON: binary values are base64 texts already. */
export type EngineRecord = DynamoDBRecord & {
  /** The creation time is in seconds since the epoch. */
  dynamodb: Change & { SequenceNumber: string; ApproximateCreationDateTime: number };
};

/** The record of a Lambda event. */
export function streamRecord(record: EngineRecord, streamArn: string) {
  const { eventVersion = '1.1', userIdentity: user } = record;
  return {
    ...record,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: account.region,
    // The API begins these names with capitals, Lambda's events do not.
    userIdentity: user && { type: user.type ?? user.Type, principalId: user.principalId ?? user.PrincipalId },
    eventSourceARN: streamArn,
  };
}

export type StreamRecord = ReturnType<typeof streamRecord>;
