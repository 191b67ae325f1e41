import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** What a conditional write met: it was done, or the condition did not hold (`existing`: the row that stood there). */
export type Conditional<Done> =
  | { held: true; done: Done }
  | { held: false; existing?: Record<string, unknown> };

/** Turns the refusal of a condition into a value; any other failure stays an exception. */
export async function conditional<Done>(write: Promise<Done>): Promise<Conditional<Done>> {
  try {
    return { held: true, done: await write };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ? { held: false, existing: unmarshall(error.Item) } : { held: false };
  }
}
