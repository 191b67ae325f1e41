import { expect, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { startFixture } from './fixtures/fixture-service.ts';

test('a rule invokes its function again and again, faster with a retry speed', async () => {
  const fixture = await startFixture({ retrySpeed: 1000 });
  await eventually('three runs', () => fixture.printed('Tick').length >= 3);
  expect(fixture.printed('Tick')[0]).toMatchObject({
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    resources: ['arn:aws:events:eu-central-1:000000000000:rule/TickRule'],
  });
});
