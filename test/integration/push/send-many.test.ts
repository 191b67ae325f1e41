import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { failingCommand } from '../../support/failing-command.ts';
import { invalid, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { content, numbers, other, phone, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

describe('rule 19: one message to many', () => {
  test('returns one element for each number in order; a number given twice is sent once', async () => {
    const { status, body } = await rig.bulk({ ...content, msisdn: [phone, other, phone] });
    const sent = body as Sent[];
    expect(status).toBe(200);
    expect(sent.map(({ msisdn, state }) => [msisdn, state])).toEqual([
      [phone, 'ENQUEUED'],
      [other, 'MSISDN_NOT_REGISTERED'],
      [phone, 'ENQUEUED'],
    ]);
    expect(sent[2]?.messageId).toBe(sent[0]?.messageId);
    expect((await rig.outgoing()).map(({ messages }) => messages)).toEqual([
      [{ messageId: sent[0]?.messageId, msisdn: phone }],
    ]);
  });

  test('goes out a thousand a message', async () => {
    await rig.register(...numbers(2_100));
    const ids = (await rig.sent.bulk(numbers(2_100))).map(({ messageId }) => messageId);
    const outgoing = (await rig.outgoing()).map(({ messages }) => messages.map(({ messageId }) => messageId));
    expect(outgoing.map(({ length }) => length).sort()).toEqual([100, 1_000, 1_000]);
    expect(outgoing.flat().sort()).toEqual(ids.sort());
  });

  test('to a number that is none is 400 in the shape of the contract', async () => {
    const sentence = 'msisdn[1]: must be a whole number of 7 to 15 digits, without +';
    expect(await rig.bulk({ ...content, msisdn: [phone, 7] })).toMatchObject(invalid(sentence));
  });

  test('rule 19: of a body that is too large is told to send several requests, as of too many recipients', async () => {
    const tooMany = { ...content, msisdn: numbers(90_000) };
    const lines = collectLines();
    const sentence = /^body: \d+ bytes sent, the limit is 1000000; gzip it or send less$/;
    const refused = refusal(503, 'BATCH_SIZE_EXCEEDED', expect.stringMatching(sentence));
    expect(await rig.bulk(tooMany)).toMatchObject(refused);
    expect(lines).toMatchObject([{ RefusedAs503: 1 }]);
    const gzipped = (text: string) => [gzipSync(text), { headers: { 'content-encoding': 'gzip' } }] as const;
    const one = JSON.stringify([
      { pushType: 'SERVICE', payload: { title: 'a', message: 'b' }, msisdn: phone },
    ]);
    expect(await rig.multi(...gzipped(one.padEnd(6_000_000)))).toMatchObject({ status: 200 });
    for (const response of [
      await rig.bulk(...gzipped(' '.repeat(2_000_001))),
      await rig.multi(...gzipped(one.padEnd(6_000_001))),
      await rig.multi(...gzipped(`[${'1.0,'.repeat(1_000_000)}1.0]`)),
    ])
      expect(response).toMatchObject(refusal(503, 'BATCH_SIZE_EXCEEDED'));
  });

  test('rule 7: whose text is damaged is told so once', async () => {
    const damaged = { ...content, payload: { ...content.payload, title: 'Сто\ufffdик' }, msisdn: [phone] };
    const sentence = expect.stringMatching(/^payload\.title: .*U\+FFFD/);
    expect(await rig.bulk(damaged)).toMatchObject(invalid(sentence));
  });

  test('whose table calls fail half way is 503: nobody is told it was accepted, and nobody gets it', async () => {
    failingCommand(rig.table.client, 'PutItemCommand', 3);
    const msisdn = Array.from({ length: 5_000 }, (_, n) => (n === 0 ? phone : 79_100_000_000 + n));
    const lines = collectLines();
    const response = await rig.bulk({ ...content, msisdn }, { requestId: 'r-1' });
    expect(response).toMatchObject(refusal(503, 'PROCESSING_FAILED', 'reference r-1'));
    expect(lines).toMatchObject([{ statusCode: 503 }]);
    expect(lines[0]).not.toHaveProperty('RefusedAs503');
    expect(await rig.outgoing()).toEqual([]);
  });
});

test('rule 19: several messages at once are sent each with its own content', async () => {
  await rig.register(other);
  const second = { pushType: 'PROMO', payload: { title: 'Второе', message: 'Другое' }, msisdn: other };
  const { body } = await rig.multi([{ ...content, msisdn: phone }, second]);
  const sent = body as Sent[];
  expect(sent.map(({ msisdn, state }) => [msisdn, state])).toEqual([
    [phone, 'ENQUEUED'],
    [other, 'ENQUEUED'],
  ]);
  expect((await rig.outgoing()).map(({ payload, messages }) => [payload.title, messages[0]?.msisdn])).toEqual(
    [
      ['Ваш заказ готов', phone],
      ['Второе', other],
    ],
  );
});
