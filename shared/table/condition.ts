import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** Whether a conditional write was applied; when not, `existing` is the row that failed the condition. */
export type Conditional<Result> =
  | { applied: true; result: Result }
  | { applied: false; existing?: Record<string, unknown> };

/** Turns a failed condition into a value; any other failure stays an exception. */
export async function conditional<Result>(write: Promise<Result>): Promise<Conditional<Result>> {
  try {
    return { applied: true, result: await write };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ? { applied: false, existing: unmarshall(error.Item) } : { applied: false };
  }
}
