import { afterAll, expect, test } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { finishedSession } from '../../support/service.ts';
import { accessCases, sendTo } from './access-cases.ts';
import { sharedAccessFixture } from './access-fixture.ts';

// These tests are one file because each worker of Vitest would start a service of its own for them, and load all
// functions: 9 s of processor time each. To run only some of them, name their titles with `-t`.
import './access-matrix.shared.ts';
import './limited-keys.shared.ts';
// These send lists of service points that replace those of the fixture, so they come after those.
import './hostile-requests.shared.ts';
import './hostile-bodies.shared.ts';
import './schema-fuzz.shared.ts';
// This reads what all of them have made the functions log.
import './logged-secrets.shared.ts';

afterAll(async () => (await sharedAccessFixture()).service.stop());

test('after all of that every route still answers 200, and a list is processed', async () => {
  const fixture = await sharedAccessFixture();
  const { partner } = fixture.service;
  const places = ['place-1', 'hall/1'].map((itemId) => ({ itemId, placeInfo: { address: 'Arbat, 1' } }));
  const started = await request(partner, 'POST /places/sync', { places });
  expect(await finishedSession(partner, started)).toMatchObject({ status: 'FINISHED', errors: [] });
  const headers = { authorization: fixture.credentials, offerid: 'bars-of-moscow' };
  for (const route of Object.keys(accessCases)) {
    const response = await sendTo(route, fixture, { headers });
    expect([route, response.status, response.tookMs < 5_000]).toEqual([route, 200, true]);
  }
});
