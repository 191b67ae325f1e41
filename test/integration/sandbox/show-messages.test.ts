import { expect, test } from 'vitest';
import { bars } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { number, sandboxRig } from './sandbox-rig.ts';

const rig = inEachTest(() => sandboxRig(2));

const enqueued = 'ENQUEUED 15:00:00';
const delivered = 'DELIVERED 15:00:02';
const opened = 'OPENED 15:00:04';

type Case = [what: string, msisdn: number, states: [afterMs: number, states: string[]][], hasLeft?: boolean];

test.each<Case>([
  [
    'usually delivered, then opened',
    number,
    [
      [1_999, [enqueued]],
      [2_000, [enqueued, delivered]],
      [4_000, [enqueued, delivered, opened]],
    ],
  ],
  ['...0007 void from its deadline on', 79_999_990_007, [[60_000, [enqueued]]]],
  ['not delivered to a number that has left since', number, [[60_000, [enqueued]]], true],
])('rule 39: a message is %s', async (_what, msisdn, states, hasLeft) => {
  await rig.register(msisdn);
  const [sent] = await rig.send(msisdn, bars, { qos: { deliverDue: '2026-05-21T12:00:00Z' } });
  if (hasLeft) await rig.unregister(msisdn);
  const arrivedAt = rig.clock.now();
  await rig.arrive();
  for (const [afterMs, reached] of states) {
    rig.clock.set(arrivedAt + afterMs);
    await rig.reportDue();
    expect(await rig.statesOf(sent)).toEqual(reached);
  }
});

test('a message stands on a phone once, also when the queue brings it twice', async () => {
  await rig.put();
  const [sent] = await rig.send(number);
  await rig.arrive();
  rig.clock.advance(3_000);
  await rig.arrive();
  expect(await rig.shownOn()).toEqual([sent?.messageId]);
  const deliveredAt = '2026-05-20T12:00:02.000Z';
  expect((await rig.get()).body).toMatchObject({ messages: [{ deliveredAt }] });
});
