import { expect, test } from 'vitest';
import { parseScheduleExpression } from '../../local/schedules/schedule-expression.ts';
import { editedAssembly, eventually, startFixture } from './fixtures/fixture-service.ts';

test('a rule invokes its function again and again, faster with a retry speed', async () => {
  const fixture = await startFixture({ retrySpeed: 1000 });
  await eventually('three runs', () => fixture.printed('Tick').length >= 3);
  expect(fixture.printed('Tick')[0]).toMatchObject({
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    region: 'eu-central-1',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    resources: ['arn:aws:events:eu-central-1:000000000000:rule/TickRule'],
  });
});

test('a schedule of EventBridge Scheduler passes its input', async () => {
  const assemblyDir = editedAssembly((resources) => {
    resources.TickRule = {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        ScheduleExpression: 'rate(1 minute)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: { 'Fn::GetAtt': ['Tick', 'Arn'] }, RoleArn: 'any', Input: '{"job":"sweep"}' },
      },
    };
  });
  const fixture = await startFixture({ retrySpeed: 1000, assemblyDir });
  expect(await eventually('a run', () => fixture.printed('Tick')[0])).toEqual({ job: 'sweep' });
});

test('in real time nothing runs before the first interval has passed', async () => {
  const fixture = await startFixture();
  await fixture.service.invoke('Tick', { by: 'hand' });
  expect(fixture.printed('Tick')).toEqual([{ by: 'hand' }]);
});

test.each([
  ['rate(1 minute)', 60_000],
  ['rate(12 hours)', 43_200_000],
  ['rate(2 days)', 172_800_000],
])('%s is every %d ms', (expression, everyMs) => {
  expect(parseScheduleExpression(expression)).toEqual({ kind: 'rate', everyMs });
});

test.each([
  ['cron(0 4 * * ? *)', '2026-11-21T04:00:00Z', true],
  ['cron(0 4 * * ? *)', '2026-11-21T04:01:00Z', false],
  ['cron(*/15 * * * ? *)', '2026-11-21T09:45:00Z', true],
  ['cron(*/15 * * * ? *)', '2026-11-21T09:50:00Z', false],
  ['cron(0 9-17 ? * MON-FRI *)', '2026-11-20T09:00:00Z', true],
  ['cron(0 9-17 ? * MON-FRI *)', '2026-11-21T09:00:00Z', false],
  ['cron(0 0 1,15 JAN ? *)', '2027-01-15T00:00:00Z', true],
])('%s at %s is due: %s', (text, at, due) => {
  const expression = parseScheduleExpression(text);
  expect(expression.kind === 'cron' && expression.isDue(new Date(at))).toBe(due);
});

test.each(['cron(0 0 L * ? *)', 'cron(0 0 ? * 6#3 *)', 'every minute'])('%s is refused', (expression) => {
  expect(() => parseScheduleExpression(expression)).toThrow('The local runner does not understand');
});
