import { describe, expect, it } from 'vitest';
import { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { listContentKeptMs } from '../../shared/places/list-message.ts';
import { resourceName } from './permissions.ts';
import { functionBehind, propertiesOf, resource, templatesOf } from './synthesize.ts';

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

/** Only mappings of streams have a starting position. */
function isOfStream(mapping: { StartingPosition?: string }) {
  return mapping.StartingPosition !== undefined;
}

describe.each(['prod', 'sandbox'] as const)('in %s', (stage) => {
  const { all } = templatesOf(stage);
  const queues = all.findResources('AWS::SQS::Queue');
  const allMappings = propertiesOf(all, 'AWS::Lambda::EventSourceMapping');

  const readers = allMappings.filter(isOfStream);
  const mappings = allMappings.filter((mapping) => !isOfStream(mapping));
  const alarms = propertiesOf(all, 'AWS::CloudWatch::Alarm');

  function queue(id: string) {
    return resource(all, 'AWS::SQS::Queue', id);
  }

  function dlqOf(id: string): string | undefined {
    return queue(id).RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0];
  }

  const dlqsOfQueues = Object.keys(queues).map(dlqOf);
  const dlqsOfStreams = readers.map(
    ({ DestinationConfig }) => DestinationConfig.OnFailure.Destination['Fn::GetAtt'][0],
  );

  function isDlq(id: string) {
    return dlqsOfQueues.includes(id) || dlqsOfStreams.includes(id);
  }

  it('every queue has a dead-letter queue or is one, and all of those are called Dlq', () => {
    for (const id of Object.keys(queues)) {
      expect(isDlq(id) || dlqOf(id), id).toBeTruthy();
      expect(id.endsWith('Dlq'), id).toBe(isDlq(id));
    }
  });

  it('every queue has an alarm that says who is affected, but for one whose messages are sent again every minute', () => {
    for (const id of Object.keys(queues).filter((name) => name !== 'DeadlinesDlq')) {
      const watching = alarms.filter((alarm) => JSON.stringify(alarm).includes(`["${id}","QueueName"]`));
      expect(watching.length, id).toBeGreaterThan(0);
      for (const { AlarmDescription } of watching) expect(AlarmDescription).toMatch(/(partner|offer)/);
    }
  });

  it('a message is tried five times, a list twenty times, and kept 4 days, 14 days in a dead-letter queue', () => {
    for (const [id, { Properties }] of Object.entries(queues)) {
      expect(Properties.MessageRetentionPeriod, id).toBe((isDlq(id) ? 14 : 4) * 86_400);
      if (!isDlq(id)) expect(Properties.RedrivePolicy.maxReceiveCount, id).toBe(id === 'PlacesSync' ? 20 : 5);
    }
  });

  it('the dead-letter queue of a FIFO queue is a FIFO queue, and offers do not wait for each other', () => {
    expect(queue('PlacesSync')).toMatchObject({
      QueueName: `partner-integration-${stage}-places-sync.fifo`,
      FifoQueue: true,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    expect(queue('PlacesSyncDlq')).toMatchObject({
      QueueName: `partner-integration-${stage}-places-sync-dlq.fifo`,
      FifoQueue: true,
    });
  });

  it('a message stays hidden at least six times as long as its consumer may run, a list for 30 minutes, a push at the wallet platform three', () => {
    for (const { EventSourceArn, FunctionName } of mappings) {
      const consumer = functionBehind(FunctionName);
      const timeout = resource(all, 'AWS::Lambda::Function', consumer).Timeout;
      const hidden = queue(resourceName(EventSourceArn)).VisibilityTimeout;
      expect(hidden, consumer).toBeGreaterThanOrEqual(6 * timeout);
    }
    expect(queue('PlacesSync').VisibilityTimeout).toBe(1_800);
    expect(queue('PlacesSyncDlq').VisibilityTimeout).toBe(180);
    expect(queue('PushOutbox').VisibilityTimeout).toBe(180);
  });

  it('exactly two functions read the stream: DynamoDB allows no more readers of one shard', () => {
    const ids = readers.map(({ FunctionName }) => functionBehind(FunctionName));
    expect(ids.sort()).toEqual(Object.keys(filters));
  });

  it('a reader is invoked only for records that match its filter, and a bad record cannot block its shard', () => {
    for (const { FunctionName, ...reader } of readers) {
      const id = functionBehind(FunctionName);
      expect(reader, id).toEqual({
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
    }
  });

  it('a failed or throttled run of the schedule is not repeated, and ends before the next, which sends what it left', () => {
    const noRepeats = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
    expect(propertiesOf(all, 'AWS::Events::Rule')).toMatchObject([{ Targets: [{ RetryPolicy: noRepeats }] }]);
    expect(propertiesOf(all, 'AWS::Lambda::EventInvokeConfig')).toMatchObject([
      { FunctionName: { Ref: 'SweepDue' }, ...noRepeats },
    ]);
    expect(resource(all, 'AWS::Lambda::Function', 'SweepDue').Timeout).toBe(60);
  });

  it('every consumer reports the messages that failed, receives ten at most, five of receipts or one list, and has a limit of executions', () => {
    const consumers = mappings.map(({ FunctionName, BatchSize, FunctionResponseTypes, ScalingConfig }) => {
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      return [functionBehind(FunctionName), [BatchSize, ScalingConfig.MaximumConcurrency]];
    });
    expect(Object.fromEntries(consumers)).toEqual({
      ProcessSync: [1, 50],
      EndFailedSync: [10, 5],
      RecordReceipts: [5, 50],
      AdvanceSends: [10, 20],
      DeliverCallback: [10, 200],
      DeliverSlowCallback: [10, 40],
      ...(stage === 'sandbox'
        ? { RemoveMessages: [10, 10], ReportReceipts: [10, 10], ShowMessages: [10, 10] }
        : {}),
    });
  });

  it('a batch of callbacks has time for its longest attempts, in parallel, and for writing their outcomes', () => {
    const longestAttemptSeconds = 30;
    const timeoutMs = (ms: number) => Endpoint.shape.timeoutMs.safeParse(ms).success;
    expect([30_000, 30_001].map(timeoutMs)).toEqual([true, false]);
    for (const id of ['DeliverCallback', 'DeliverSlowCallback'])
      expect(resource(all, 'AWS::Lambda::Function', id).Timeout, id).toBe(2 * longestAttemptSeconds);
  });

  it('the rows of a list outlive its message', () => {
    const keptMs = queue('PlacesSync').MessageRetentionPeriod * 1_000;
    expect(listContentKeptMs).toBeGreaterThan(keptMs);
  });
});
