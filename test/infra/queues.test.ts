import { describe, expect, it } from 'vitest';
import { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { listContentKeptMs } from '../../shared/places/list-message.ts';
import { resourceName } from './permissions.ts';
import { functionBehind, propertiesOf, resource, templatesOf } from './synthesize.ts';

/** Only mappings of streams have a starting position. */
function isOfStream(mapping: { StartingPosition?: string }) {
  return mapping.StartingPosition !== undefined;
}

describe.each(['prod', 'sandbox'] as const)('in %s', (stage) => {
  const { all } = templatesOf(stage);
  const queues = all.findResources('AWS::SQS::Queue');
  const allMappings = propertiesOf(all, 'AWS::Lambda::EventSourceMapping');

  const mappings = allMappings.filter((mapping) => !isOfStream(mapping));
  const alarms = propertiesOf(all, 'AWS::CloudWatch::Alarm');

  function queue(id: string) {
    return resource(all, 'AWS::SQS::Queue', id);
  }

  function dlqOf(id: string): string | undefined {
    return queue(id).RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0];
  }

  const dlqsOfQueues = Object.keys(queues).map(dlqOf);
  const dlqsOfStreams = allMappings
    .filter(isOfStream)
    .map(({ DestinationConfig }) => DestinationConfig.OnFailure.Destination['Fn::GetAtt'][0]);

  function isDlq(id: string) {
    return dlqsOfQueues.includes(id) || dlqsOfStreams.includes(id);
  }

  it('every queue has a dead-letter queue or is one, every reader of the stream has one, and all are called Dlq', () => {
    expect(dlqsOfStreams.sort()).toEqual(['DispatchMessagesDlq', 'FanOutStatesDlq']);
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

  it('every consumer reports the messages that failed, and receives ten at most: five of receipts, one list', () => {
    const batches = mappings.map(({ FunctionName, BatchSize, FunctionResponseTypes }) => {
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      return [functionBehind(FunctionName), BatchSize];
    });
    expect(Object.fromEntries(batches)).toEqual({
      ProcessSync: 1,
      EndFailedSync: 10,
      RecordReceipts: 5,
      AdvanceSends: 10,
      DeliverCallback: 10,
      DeliverSlowCallback: 10,
      ...(stage === 'sandbox' ? { RemoveMessages: 10, ReportReceipts: 10, ShowMessages: 10 } : {}),
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
