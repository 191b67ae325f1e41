import { beforeEach, describe, expect, test } from 'vitest';
import { diesAfterItsWork } from '../../support/dies-after-its-work.ts';
import { invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { everything, followsFromDates, promotionRig } from './promotion-rig.ts';

const rig = inEachTest(promotionRig);

describe('rule 28: updating a promotion', () => {
  beforeEach(() => rig.create(everything));

  test('to an end of null leaves it without an end', async () => {
    rig.clock.set(Date.UTC(2026, 5, 1));
    expect((await rig.update({ promoId: 1, endDate: null })).body).toEqual({ promoId: 1, status: 'active' });
    expect((await rig.page()).items).toMatchObject([{ endDate: null }]);
    expect((await rig.details(1)).body).toMatchObject({ endDate: null });
  });

  test('rule 5: that died after its work and is repeated does not undo what was changed since', async () => {
    const update = { promoId: 1, name: 'First' };
    const headers = { 'idempotency-key': 'update-1' };
    await diesAfterItsWork(rig, () => rig.update(update, { headers }));
    await rig.update({ promoId: 1, name: 'Second' });
    expect(await rig.update(update, { headers })).toMatchObject({ status: 200, body: { promoId: 1 } });
    expect((await rig.details(1)).body).toMatchObject({ name: 'Second' });
  });

  test('replaces or takes away one image and leaves the other', async () => {
    await rig.update({ promoId: 1, images: { imageWide: 'https://bars.example/new.png' } });
    await rig.update({ promoId: 1, images: { imageSquare: null } });
    expect((await rig.details(1)).body).toMatchObject({
      images: { imageWide: 'https://bars.example/new.png' },
    });
    expect((await rig.details(1)).body).not.toHaveProperty('images.imageSquare');
  });

  test('cleans its HTML too', async () => {
    await rig.update({ promoId: 1, description: '<img src=x onerror=alert(1)><i>new</i>' });
    expect((await rig.details(1)).body).toMatchObject({ description: '<i>new</i>' });
  });

  test('of one date is checked against the other one that is stored', async () => {
    expect(await rig.update({ promoId: 1, endDate: '2026-05-20T12:00:00Z' })).toMatchObject(
      invalid('endDate: must be after startDate, which is 2026-05-20T15:00:00+03'),
    );
    expect(await rig.update({ promoId: 1, startDate: '2026-05-20T15:00:00Z' })).toMatchObject(
      invalid('startDate: must be before endDate, which is 2026-05-20T18:00:00+03'),
    );
    // Dates count and are shown to the second.
    expect((await rig.update({ promoId: 1, endDate: '2026-05-20T12:00:00.999Z' })).status).toBe(400);
    expect((await rig.update({ promoId: 1, endDate: '2026-05-20T12:00:01.001Z' })).status).toBe(200);
    expect((await rig.update({ promoId: 1, endDate: null, startDate: '2027-01-01T00:00:00Z' })).status).toBe(
      200,
    );
    expect((await rig.update({ promoId: 1, startDate: '2028-01-01T00:00:00Z' })).status).toBe(200);
  });

  test('of different fields at once loses none', async () => {
    const responses = await Promise.all([
      rig.update({ promoId: 1, name: 'Three for two' }),
      rig.update({ promoId: 1, endDate: '2026-05-21T18:00:00+03' }),
      rig.update({ promoId: 1, images: { imageWide: 'https://bars.example/cider.png' } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await rig.details(1)).body).toMatchObject({
      name: 'Three for two',
      endDate: '2026-05-21T18:00:00+03',
      images: { imageWide: 'https://bars.example/cider.png', imageSquare: 'http://bars.example/square.png' },
    });
    expect((await rig.page()).items).toMatchObject([
      { name: 'Three for two', endDate: '2026-05-21T18:00:00+03' },
    ]);
  });

  test('of start and end at once never leaves the end before the start', async () => {
    await rig.update({ promoId: 1, startDate: '2026-05-10T00:00:00Z', endDate: '2026-05-30T00:00:00Z' });
    const responses = await Promise.all([
      rig.update({ promoId: 1, startDate: '2026-05-25T00:00:00Z' }),
      rig.update({ promoId: 1, endDate: '2026-05-15T00:00:00Z' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  const nothingToChange = 'body: send at least one member to change besides promoId; null counts as absent';
  test.each([
    [{ promoId: 1, colour: 'red' }, nothingToChange],
    [{ promoId: 1, name: null }, nothingToChange],
    [{ promoId: 1, name: 'x', imageWide: null }, 'imageWide: unknown here, send it as images.imageWide'],
    [{ promoId: 1, name: 'x', status: 'completed' }, followsFromDates],
  ])('with %j is refused', async (body, sentence) => {
    expect(await rig.update(body)).toMatchObject(invalid(sentence));
  });

  test('with a status says what else is wrong', async () => {
    const body = { promoId: 1, name: '', endDate: '2026-02-30T00:00:00Z', status: 'completed' };
    expect(await rig.update(body)).toMatchObject(
      invalid(followsFromDates, 'name: must not be empty', 'endDate: is not in the calendar or on the clock'),
    );
  });

  test('with the description that its details show changes nothing, also if escapes make that longer than it may be', async () => {
    await rig.update({ promoId: 1, description: '<b>&</b> '.repeat(1_100) });
    const { description } = (await rig.details(1)).body as { description: string };
    expect(description).toHaveLength(14_300);
    expect((await rig.update({ promoId: 1, description })).status).toBe(200);
    expect((await rig.details(1)).body).toMatchObject({ description });
  });
});
