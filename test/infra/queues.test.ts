import { expect, it } from 'vitest';
import { templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');
const queues = service.findResources('AWS::SQS::Queue');
const mappings = Object.values(service.findResources('AWS::Lambda::EventSourceMapping')).map(
  ({ Properties }) => Properties,
);
const alarms = Object.values(service.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);

const deadLetterQueueOf = (id: string): string | undefined =>
  queues[id]?.['Properties'].RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0];
const deadLetterQueues = Object.keys(queues).map(deadLetterQueueOf);
const isEndOfLine = (id: string) => deadLetterQueues.includes(id);

it('every queue has a dead-letter queue or is one', () => {
  for (const id of Object.keys(queues)) {
    expect(isEndOfLine(id) || deadLetterQueueOf(id), id).toBeTruthy();
  }
});

it('every queue has an alarm that says whom it hurts', () => {
  for (const id of Object.keys(queues)) {
    const watching = alarms.filter((alarm) => JSON.stringify(alarm).includes(`["${id}","QueueName"]`));
    expect(watching.length, id).toBeGreaterThan(0);
    for (const { AlarmDescription } of watching) expect(AlarmDescription).toMatch(/(partner|offer)/);
  }
});

it('a message is tried five times, kept 4 days, and 14 days once it is dead', () => {
  for (const [id, { Properties }] of Object.entries(queues)) {
    expect(Properties.MessageRetentionPeriod, id).toBe((isEndOfLine(id) ? 14 : 4) * 86_400);
    if (!isEndOfLine(id)) expect(Properties.RedrivePolicy.maxReceiveCount, id).toBe(5);
  }
});

it('a FIFO queue is dead-lettered into a FIFO queue, and offers do not wait for each other', () => {
  expect(queues['PlacesSync']?.['Properties']).toMatchObject({
    QueueName: 'partner-integration-prod-places-sync.fifo',
    FifoQueue: true,
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  });
  expect(queues['PlacesSyncDead']?.['Properties']).toMatchObject({
    QueueName: 'partner-integration-prod-places-sync-dead.fifo',
    FifoQueue: true,
  });
});

it('a message stays hidden at least six times as long as its consumer may run', () => {
  for (const { EventSourceArn, FunctionName } of mappings) {
    const timeout = service.findResources('AWS::Lambda::Function')[FunctionName.Ref]?.['Properties'].Timeout;
    const hidden = queues[EventSourceArn['Fn::GetAtt'][0]]?.['Properties'].VisibilityTimeout;
    expect(hidden, FunctionName.Ref).toBeGreaterThanOrEqual(6 * timeout);
  }
});

it('every queue has exactly one consumer, which names the messages it could not do', () => {
  expect(mappings.map(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0]).sort()).toEqual(
    Object.keys(queues).sort(),
  );
  for (const { BatchSize, FunctionResponseTypes } of mappings) {
    expect({ BatchSize, FunctionResponseTypes }).toEqual({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  }
});

it('every queue is reached over TLS only', () => {
  const guarded = Object.values(service.findResources('AWS::SQS::QueuePolicy'))
    .filter(({ Properties }) =>
      Properties.PolicyDocument.Statement.some(
        (statement: { Effect: string; Condition?: unknown }) =>
          statement.Effect === 'Deny' &&
          JSON.stringify(statement.Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
      ),
    )
    .flatMap(({ Properties }) => Properties.Queues.map((queue: { Ref: string }) => queue.Ref));
  expect(guarded.sort()).toEqual(Object.keys(queues).sort());
});
