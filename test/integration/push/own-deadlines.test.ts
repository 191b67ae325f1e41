import { expect, test } from 'vitest';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { sqsRecord } from '../../support/queue.ts';
import { content, phone, pushRig } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

function at(time: string): string {
  return `2026-05-20T${time}Z`;
}

/** The parts of sends that are read from now on. */
function partsRead(): () => string[] {
  const parts: string[] = [];
  interceptCalls(rig.table.client, ({ input }, make) => {
    const keys: { sk: string }[] = input.RequestItems?.[rig.table.name]?.Keys ?? [];
    parts.push(...keys.map(({ sk }) => sk).filter((sk) => sk.startsWith('PART#')));
    return make();
  });
  return () => parts.splice(0);
}

test('rule 42: messages with a deadline each end at their own, and only the parts are read that have something to end', async () => {
  // Parts of 80, 80 and 1 messages.
  const deadlines = Array.from({ length: 161 }, (_, n) => at(n < 80 ? '12:10:00' : '12:40:00'));
  deadlines[0] = at('12:30:00');
  deadlines[79] = at('12:10:16');
  const sent = await rig.sent.multi(
    deadlines.map((deliverDue) => ({ ...content, qos: { deliverDue }, msisdn: phone })),
  );
  const ended = async () => ((await rig.report(sent[0])).body as { expired: number }).expired;
  const dueAt = async () => (await rig.dueRows()).map((row) => row['dueAt']);
  const read = partsRead();
  const endedAt = async (time: string) => {
    rig.clock.set(Date.parse(at(time)));
    read();
    await rig.endPassed();
    const parts = read();
    return [parts, await ended(), await dueAt()];
  };
  expect(await dueAt()).toEqual([Date.parse(at('12:10:00'))]);
  const all = ['PART#000000', 'PART#000001', 'PART#000002'];
  expect(await endedAt('12:10:20')).toEqual([all, 78, [Date.parse(at('12:10:16'))]]);
  expect(await endedAt('12:10:40')).toEqual([['PART#000000'], 79, [Date.parse(at('12:30:00'))]]);
  expect(await endedAt('12:31:00')).toEqual([['PART#000000'], 80, [Date.parse(at('12:40:00'))]]);
  expect(await endedAt('12:41:00')).toEqual([['PART#000001', 'PART#000002'], 161, []]);
});

test('single messages that end together are ended 25 in a call', async () => {
  const body = { ...content, qos: { deliverDue: at('12:10:00') } };
  const sendIds: string[] = [];
  for (let n = 0; n < 50; n++) sendIds.push((await rig.sent.single(phone, body)).messageId);
  rig.clock.set(Date.parse(at('12:10:20')));
  const writes: string[] = [];
  interceptCalls(rig.table.client, ({ name }, make) => {
    if (/BatchWrite|Delete/.test(name)) writes.push(name);
    return make();
  });
  await rig.handlers.advance({ Records: [sqsRecord({ sendIds })] });
  expect(writes).toEqual(['BatchWriteItemCommand', 'BatchWriteItemCommand']);
  expect(await rig.dueRows()).toEqual([]);
});
