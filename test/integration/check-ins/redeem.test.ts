import { beforeEach, describe, expect, test } from 'vitest';
import { packPlaces } from '../../../shared/partners/allowed-places.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bars, call, forBars, invalid, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, interceptCalls, justBefore } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { checkInRig } from './check-in-rig.ts';

const rig = inEachTest(checkInRig);

describe('rule 16: redeeming a check-in', () => {
  beforeEach(() => rig.opened('card-1'));

  test('returns its card, and it never appears again', async () => {
    rig.clock.advance(1_234);
    expect(await rig.register(1)).toMatchObject({
      status: 200,
      body: { checkinNumber: 1, cardNumber: 'card-1', registeredAt: '2026-05-20T12:00:01.234Z' },
    });
    expect((await rig.list()).body).toEqual([]);
    expect(await rig.register('1')).toMatchObject(
      refusal(
        409,
        'CHECKIN_NOT_ACTIVE',
        'checkinNumber: 1 was redeemed at 2026-05-20T12:00:01.234Z, check the number or ask for a new check-in',
      ),
    );
  });

  test('leaves a newer check-in of the card in the list, also when it is repeated', async () => {
    await rig.register(1);
    await rig.opened('card-1');
    await rig.register(1);
    expect((await rig.list()).body).toMatchObject([{ checkinNumber: 2 }]);
  });

  test('takes it out of the list by a second try, if the first has no response', async () => {
    let deletes = 0;
    const end = interceptCalls(rig.table.client, async ({ name }, make) => {
      if (name === 'DeleteItemCommand' && ++deletes === 1) throw new Error('no response');
      return make();
    });
    await rig.register(1);
    end();
    expect((await rig.list()).body).toEqual([]);
  });

  test('succeeds for exactly one of 50 cash desks at once', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => rig.register(1)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
  });

  test('that another redeems at the same moment is told when that was, also if it has left the list since', async () => {
    const isOfList = ({ name, input }: Call) => name === 'GetItemCommand' && /card-1/.test(input.Key.sk);
    let first: unknown;
    justBefore(rig.table.client, isOfList, async () => {
      first = await rig.register(1);
    });
    const wasRedeemed =
      'checkinNumber: 1 was redeemed at 2026-05-20T12:00:00.000Z, check the number or ask for a new check-in';
    expect(await rig.register(1)).toMatchObject(refusal(409, 'CHECKIN_NOT_ACTIVE', wasRedeemed));
    expect(first).toMatchObject({ status: 200 });
  });

  test('counts as done for the request that did it, whenever it comes again, and not for another', async () => {
    const by = { requestId: 'the same request' };
    const first = await rig.register(1, by);
    rig.clock.advance(3 * 3_600_000);
    expect(await rig.register(1, by)).toEqual(first);
    expect((await rig.register(1)).status).toBe(409);
  });

  test('counts as done for each key of the same places, whatever their order', async () => {
    const under = (...placeIds: string[]) =>
      rig.register(1, {
        partner: { ...bars, places: packPlaces(placeIds) },
        headers: { offerid: 'bars-of-moscow', 'idempotency-key': 'k1' },
      });
    expect((await under('p1', 'p2')).status).toBe(200);
    expect(await under('p2', 'p1')).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect((await under('p1')).status).toBe(422);
  });

  test('counts although its row does not leave the list: that is logged, and the next answer removes it', async () => {
    const lines = collectLines();
    const noDeletes = failingCommand(rig.table.client, 'DeleteItemCommand');
    const key = { headers: { offerid: 'bars-of-moscow', 'idempotency-key': 'k1' } };
    expect((await rig.register(1, key)).status).toBe(200);
    expect(lines.at(-1)).toMatchObject({ stillListed: expect.stringContaining('Error') });
    expect((await rig.list()).body).toMatchObject([{ checkinNumber: 1 }]);
    noDeletes.remove();
    expect((await rig.register(1)).status).toBe(409);
    expect((await rig.list()).body).toEqual([]);
    rig.clock.advance(60_000);
    expect(await rig.register(1, key)).toMatchObject({
      status: 200,
      body: { registeredAt: '2026-05-20T12:00:00.000Z' },
    });
  });

  test('whose row stayed in the list gives way to a new check-in of the same card', async () => {
    const noDeletes = failingCommand(rig.table.client, 'DeleteItemCommand');
    expect((await rig.register(1)).status).toBe(200);
    noDeletes.remove();
    expect(await rig.opened('card-1')).toMatchObject({ checkinNumber: 2 });
    expect((await rig.list()).body).toMatchObject([{ checkinNumber: 2 }]);
    expect((await rig.register(2)).status).toBe(200);
  });
});

describe('rule 16: redeeming a number', () => {
  test('happens once, also if tries of the writes that opened it take effect after that', async () => {
    const tries: (() => Promise<object>)[] = [];
    const end = interceptCalls(rig.table.client, ({ name }, make) => {
      if (name.startsWith('Put')) tries.push(make);
      return make();
    });
    await rig.opened('card-1');
    end();
    expect(await rig.register(1)).toMatchObject({ status: 200 });
    const late = await Promise.allSettled(tries.map((again) => again()));
    expect(late.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await rig.register(1)).toMatchObject({ status: 409, body: { status: 'CHECKIN_NOT_ACTIVE' } });
  });

  test('of a number that an interrupted opening left behind is refused, since nobody was given it', async () => {
    const noList = failingCommand(rig.table.client, 'PutItemCommand', 2);
    expect((await rig.open('card-1')).status).toBe(500);
    noList.remove();
    const notActive = 'checkinNumber: 1 is not active, check the number or ask for a new check-in';
    expect(await rig.register(1)).toMatchObject(refusal(409, 'CHECKIN_NOT_ACTIVE', notActive));
    expect(await rig.opened('card-1')).toMatchObject({ checkinNumber: 2 });
    expect((await rig.register(1)).status).toBe(409);
    expect((await rig.register(2)).status).toBe(200);
  });

  test.each([
    ['0016', 'has leading zeros: send the checkinNumber of the list, not a secretCode'],
    ['12345678901234567', 'must be a whole number from 1 to 9007199254740991'],
  ])('refuses %j', async (checkinNumber, sentence) => {
    expect(await rig.register(checkinNumber)).toMatchObject(invalid(`checkinNumber: ${sentence}`));
  });
});

describe('rule 62: a request that says which check-in it means', () => {
  const redeem = (body: object, request: object = {}) =>
    call(rig.handlers.register, { ...forBars, body, ...request });
  let secretCode: string;
  beforeEach(async () => {
    secretCode = (await rig.opened('card-1')).secretCode;
  });
  const another = () => (secretCode === '0000' ? '1111' : '0000');

  test('redeems it when code and place are those of the check-in, at no unit more', async () => {
    rig.table.units();
    expect(await redeem({ checkinNumber: 1, secretCode, placeId: 'p1' })).toMatchObject({ status: 200 });
    expect(rig.table.units()).toMatchObject({ read: 2, write: 2 });
  });

  test.each([22, '22'])('is refused with the secretCode %j, and redeems nothing', async (wrong) => {
    const fourDigits = 'secretCode: must be a string of 4 digits, with its leading zeros';
    expect(await redeem({ checkinNumber: 1, secretCode: wrong })).toMatchObject(invalid(fourDigits));
    expect((await redeem({ checkinNumber: 1 })).status).toBe(200);
  });

  test('redeems nothing when one is not, and names the member but not what is stored', async () => {
    const mismatch = (sentence: string) => refusal(409, 'CHECKIN_MISMATCH', sentence);
    expect(await redeem({ checkinNumber: 1, secretCode: another(), placeId: 'p1' })).toMatchObject(
      mismatch('secretCode: is not that of the check-in 1, nothing was redeemed'),
    );
    expect(await redeem({ checkinNumber: 1, secretCode, placeId: 'p2' })).toMatchObject(
      mismatch('placeId: is not that of the check-in 1, nothing was redeemed'),
    );
    expect(await redeem({ checkinNumber: 1 })).toMatchObject({ status: 200 });
  });

  test('is refused for the number, the place of the key and the state of the check-in first', async () => {
    const wrong = { secretCode: another(), placeId: 'p2' };
    expect(await redeem({ checkinNumber: 9, ...wrong })).toMatchObject(refusal(404, 'CHECKIN_NOT_FOUND'));
    const elsewhere = { partner: { ...bars, places: packPlaces(['p2']) } };
    expect(await redeem({ checkinNumber: 1, ...wrong }, elsewhere)).toMatchObject(
      refusal(403, 'PLACE_FORBIDDEN'),
    );
    expect(await redeem({ checkinNumber: 1 }, elsewhere)).toMatchObject(refusal(403, 'PLACE_FORBIDDEN'));
    expect(await redeem({ checkinNumber: 1 })).toMatchObject({ status: 200 });
    expect(await redeem({ checkinNumber: 1, ...wrong })).toMatchObject(refusal(409, 'CHECKIN_NOT_ACTIVE'));
    // The key learns nothing of another place, not even that the check-in there was used.
    expect(await redeem({ checkinNumber: 1 }, elsewhere)).toMatchObject(refusal(403, 'PLACE_FORBIDDEN'));
  });
});
