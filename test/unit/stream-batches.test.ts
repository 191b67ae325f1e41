import { expect, test } from 'vitest';
import { FunctionError } from '../../local/functions/function-error.ts';
import { batchHandler } from '../../local/streams/handle-batch.ts';
import type { FailedBatch } from '../../local/streams/on-failure.ts';
import type { StreamRecord } from '../../local/streams/stream-record.ts';

type Answer = (numbers: readonly string[]) => string | undefined;

/** Hands records 1 to 4 to a function, and returns the batches that it got and those that were given up. */
async function delivered(firstFailed: Answer) {
  const batches: string[] = [];
  const givenUp: string[] = [];
  const numbersOf = (records: readonly StreamRecord[]) =>
    records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const handle = batchHandler({
    source: { maximumRetryAttempts: 1, maximumRecordAgeSeconds: 60 } as never,
    pool: {
      invoke: async (event: unknown) => {
        const numbers = numbersOf((event as { Records: StreamRecord[] }).Records);
        batches.push(numbers.join(''));
        const itemIdentifier = firstFailed(numbers);
        const batchItemFailures = itemIdentifier === undefined ? [] : [{ itemIdentifier }];
        return { payload: JSON.stringify({ batchItemFailures }), requestId: 'r-1' };
      },
    } as never,
    retrySpeed: 10_000,
    now: () => 0,
    giveUp: async ({ records }: FailedBatch) => void givenUp.push(numbersOf(records).join('')),
    signal: new AbortController().signal,
    warn: () => {},
  });
  await handle([1, 2, 3, 4].map((n) => ({ dynamodb: { SequenceNumber: String(n) } }) as StreamRecord));
  return { batches, givenUp };
}

test('what a function fails for is halved until the record is alone', async () => {
  const failsFor3: Answer = (numbers) => {
    if (numbers.includes('3'))
      throw new FunctionError({ errorType: 'E', errorMessage: 'e', trace: [] }, 'r-1');
    return undefined;
  };
  const batches = ['1234', '12', '34', '3', '3', '4'];
  expect(await delivered(failsFor3)).toEqual({ batches, givenUp: ['3'] });
});

test('what a response names comes again with all records behind it, and is given up with them', async () => {
  const names3: Answer = (numbers) => numbers.find((number) => number === '3');
  expect(await delivered(names3)).toEqual({ batches: ['1234', '34', '34'], givenUp: ['34'] });
});
