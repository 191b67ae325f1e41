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
