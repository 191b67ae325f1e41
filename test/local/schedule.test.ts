import { expect, test } from 'vitest';
import { readServiceModel } from '../../local/template/service-model.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { editedAssembly, startFixture } from './fixtures/fixture-service.ts';

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
  const folder = editedAssembly((resources) => {
    resources.TickRule.Properties.ScheduleExpression = expression;
  });
  expect(readServiceModel(folder).schedules.map((schedule) => schedule.everyMs)).toEqual([everyMs]);
});
