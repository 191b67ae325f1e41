import { expect, test, vi } from 'vitest';
import { startWork } from '../../shared/platform/logging/log.ts';
import { placesIn } from '../../shared/platform/logging/readable-stack.ts';
import { collectLines } from '../support/log-lines.ts';

/** Returns what a log line has of an error and of its causes. */
function logged(error: unknown): Error[] {
  const lines = collectLines();
  startWork('Fails').failed(error);
  const chain: Error[] = [];
  for (let next = lines[0]?.['error']; next; next = (next as Error).cause) chain.push(next as Error);
  return chain;
}

test('an error is logged with its cause, and without the members that a library added, which may show a row', () => {
  const cause = Object.assign(new TypeError('the table is gone'), { row: 'a phone number' });
  const error = new Error('no such row', { cause });
  const chain = logged(
    Object.assign(error, { name: 'ConditionalCheckFailedException', row: 'a phone number' }),
  );
  expect(chain.map(String)).toEqual([
    'ConditionalCheckFailedException: no such row',
    'TypeError: the table is gone',
  ]);
  expect(chain.map(({ stack }) => stack?.split('\n')[0])).toEqual(chain.map(String));
  for (const error of chain) expect(error).not.toHaveProperty('row');
});

test('an error whose causes form a circle, or whose stack is no text, is logged all the same', () => {
  const ring = new Error('first', { cause: Object.assign(new Error('second'), { stack: 7 }) });
  (ring.cause as Error).cause = ring;
  const chain = logged(ring);
  expect(chain.map(({ message }) => message)).toEqual([
    'first',
    'second',
    'first',
    'second',
    'first',
    'second',
  ]);
  expect(chain[1]?.stack).toBe('7');
});

test('the places of an error are those of its stack, without its message, which may quote a body', () => {
  const places = placesIn(new Error('a body\nof two lines'));
  expect(places[0]).toContain('log-lines.test.ts');
  expect(places.join()).not.toMatch(/body|lines$/);
});

test('what was thrown and is no error is logged as one', () => {
  expect(logged('a text').map(String)).toEqual(['Error: a text']);
});

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

test('a line without what the whole service counts measures for its function alone', () => {
  const lines = collectLines();
  const work = startWork('ProcessSync');
  work.addMetrics({ SessionsFinished: 1 });
  work.done('done');
  expect(lines).toMatchObject([{ _aws: { CloudWatchMetrics: [{ Dimensions: [['service', 'function']] }] } }]);
});
