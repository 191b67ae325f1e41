import { expect, test } from 'vitest';
import { startWork } from '../../../shared/platform/logging/log.ts';
import { collectLines } from '../../support/log-lines.ts';

test('what was measured travels in the line itself, in the embedded metric format', () => {
  const lines = collectLines();
  const work = startWork('ProcessSync', { sessionId: 's-1' });
  work.addMetrics({ SessionsFinished: 1 });
  work.addMetrics({ SessionSeconds: 2.5 });
  work.done('done');
  expect(lines).toMatchObject([
    {
      code: 'ProcessSync',
      sessionId: 's-1',
      function: 'ProcessSync',
      SessionsFinished: 1,
      SessionSeconds: 2.5,
      _aws: {
        CloudWatchMetrics: [
          {
            Namespace: 'PartnerIntegration',
            Dimensions: [['service', 'function']],
            Metrics: [
              { Name: 'SessionsFinished', Unit: 'Count' },
              { Name: 'SessionSeconds', Unit: 'Seconds' },
            ],
          },
        ],
      },
    },
  ]);
});

test('work that fails is counted, by its function and for the whole service', () => {
  const lines = collectLines();
  const work = startWork('SendMessage');
  work.addMetrics({ PushesAccepted: 1 });
  work.failed(new Error('no table'));
  const failed = { Name: 'Failed', Unit: 'Count' };
  expect(lines).toMatchObject([
    {
      outcome: 'failed',
      status: '500',
      partnerId: '-',
      function: 'SendMessage',
      Failed: 1,
      _aws: {
        CloudWatchMetrics: [
          {
            Namespace: 'PartnerIntegration',
            Dimensions: [['service', 'function']],
            Metrics: [{ Name: 'PushesAccepted', Unit: 'Count' }, failed],
          },
          { Namespace: 'PartnerIntegration', Dimensions: [['service']], Metrics: [failed] },
        ],
      },
    },
  ]);
});

test('of an error a line tells what happened, and nothing that a library hung on it', () => {
  const lines = collectLines();
  const refused = Object.assign(new Error('the condition failed', { cause: new Error('a race') }), {
    name: 'ConditionalCheckFailedException',
    Item: { digest: { S: 'secret' } },
  });
  startWork('SendMessage').failed(refused);
  expect(lines[0]).toMatchObject({
    error: {
      name: 'ConditionalCheckFailedException',
      message: 'the condition failed',
      cause: { message: 'a race' },
    },
  });
  expect(Object.keys(lines[0]?.['error'] as Error)).not.toContain('Item');
});
