import { account } from '../template/account.ts';

interface AttributeValues {
  readonly [name: string]: unknown;
}

/** A record as `GetRecords` gives it in JSON: binary values are base64 texts already. */
export interface EngineRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly eventVersion?: string;
  readonly userIdentity?: Readonly<Record<string, string>>;
  readonly dynamodb: {
    readonly Keys: AttributeValues;
    readonly NewImage?: AttributeValues;
    readonly OldImage?: AttributeValues;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: string;
    /** Seconds since the epoch. */
    readonly ApproximateCreationDateTime: number;
  };
}

/** The record of a Lambda event. */
export function streamRecord(record: EngineRecord, streamArn: string) {
  // The API begins these names with capitals, Lambda's events do not.
  const { userIdentity: user } = record;
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: account.region,
    dynamodb: record.dynamodb,
    ...(user
      ? {
          userIdentity: {
            type: user['type'] ?? user['Type'],
            principalId: user['principalId'] ?? user['PrincipalId'],
          },
        }
      : {}),
    eventSourceARN: streamArn,
  };
}

export type StreamRecord = ReturnType<typeof streamRecord>;
