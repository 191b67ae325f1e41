import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { finishedSession } from '../../support/service.ts';
import { accessCases } from './access-cases.ts';
import type { AccessFixture } from './access-fixture.ts';
import { sendRaw } from './raw-request.ts';

/** Checks that a list is still processed, and that a valid request to each route gets 200. */
export async function expectHealthy(fixture: AccessFixture): Promise<void> {
  const { partner } = fixture.service;
  const places = ['place-1', 'hall/1'].map((itemId) => ({ itemId, placeInfo: { address: 'Arbat, 1' } }));
  const started = await request(partner, 'POST /places/sync', { places });
  expect(await finishedSession(partner, started)).toMatchObject({ status: 'FINISHED', errors: [] });
  const headers = {
    authorization: fixture.credentials,
    offerid: 'bars-of-moscow',
    'content-type': 'application/json',
  };
  for (const [route, accessCase] of Object.entries(accessCases)) {
    const [method = ''] = route.split(' ');
    const allowed = await accessCase.request(fixture);
    const response = await sendRaw(fixture.baseUrl, {
      method,
      ...allowed,
      headers: { ...headers, ...allowed.headers },
    });
    expect([route, response.status, response.tookMs < 5_000]).toEqual([route, 200, true]);
  }
}
