import { expect, test, vi } from 'vitest';
import { startWork } from '../../../shared/platform/logging/log.ts';
import { collectLines } from '../../support/log-lines.ts';

test('what was measured travels in the line itself, and a failure counts for its function and the whole service', () => {
  const lines = collectLines();
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_012.34);
  const work = startWork('ProcessSync', { sessionId: 's-1' });
  work.addMetrics({ SessionsFinished: 1 });
  work.addMetrics({ SessionSeconds: 2.5 });
  work.failed(new Error('no table'));
  clock.mockRestore();
  const failed = { Name: 'Failed', Unit: 'Count' };
  const measured = [
    { Name: 'SessionsFinished', Unit: 'Count' },
    { Name: 'SessionSeconds', Unit: 'Seconds' },
  ];
  const ofFunction = { Dimensions: [['service', 'function']], Metrics: [...measured, failed] };
  const ofService = { Dimensions: [['service']], Metrics: [failed] };
  const Namespace = 'PartnerIntegration';
  expect(lines).toMatchObject([
    {
      ...{ code: 'ProcessSync', function: 'ProcessSync', sessionId: 's-1', durationMs: 12.3 },
      ...{ outcome: 'failed', status: '500', partnerId: '-' },
      ...{ SessionsFinished: 1, SessionSeconds: 2.5, Failed: 1 },
      _aws: {
        CloudWatchMetrics: [
          { Namespace, ...ofFunction },
          { Namespace, ...ofService },
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
