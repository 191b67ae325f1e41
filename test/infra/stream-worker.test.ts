import { expect, it } from 'vitest';
import { functionBehind, propertiesOf, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');
const mappings = propertiesOf(service, 'AWS::Lambda::EventSourceMapping').filter(
  ({ StartingPosition }) => StartingPosition !== undefined,
);

/** The exact filter of each function that reads the stream. */
const filters: Record<string, string[]> = {
  DispatchMessages: [
    '{"eventName":["INSERT"],"dynamodb":{"NewImage":{"toDispatch":{"S":["yes"]}}}}',
    '{"eventName":["MODIFY"],"dynamodb":{"NewImage":{"toDispatch":{"S":["yes"]}},"OldImage":{"toDispatch":{"S":[{"exists":false}]}}}}',
  ],
  FanOutStates: [
    '{"eventName":["INSERT"],"dynamodb":{"NewImage":{"toCallBack":{"S":["yes"]}}}}',
    '{"eventName":["MODIFY"],"dynamodb":{"NewImage":{"toCallBack":{"S":["yes"]}}}}',
  ],
};

it('exactly two functions read the stream: DynamoDB allows no more readers of one shard', () => {
  expect(mappings.map(({ FunctionName }) => functionBehind(FunctionName)).sort()).toEqual(
    Object.keys(filters),
  );
});

it.each(mappings.map((mapping) => [functionBehind(mapping.FunctionName), mapping] as const))(
  '%s is invoked only for records that match its filter, and a bad record cannot block its shard',
  (id, mapping) => {
    expect(mapping).toEqual({
      FunctionName: expect.anything(),
      EventSourceArn: {
        'Fn::If': [
          'OnRestoredTable',
          { Ref: 'RestoredTableStream' },
          { 'Fn::ImportValue': expect.stringContaining('TableStreamArn') },
        ],
      },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      ParallelizationFactor: 2,
      FilterCriteria: { Filters: filters[id]?.map((Pattern) => ({ Pattern })) },
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 1_600,
      MaximumRecordAgeInSeconds: 43_200,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [`${id}Dlq`, 'Arn'] } } },
    });
  },
);
