import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { finishedSession } from '../../support/service.ts';
import { doors } from './door-table.ts';
import type { House } from './house.ts';
import { knock } from './knock.ts';

/** After whatever has happened, a list is worked off, and then a good request to each door is answered 200. */
export async function expectToServeStill(house: House): Promise<void> {
  const { partner } = house.service;
  const places = [{ itemId: 'place-1', placeInfo: { address: 'Arbat, 1' } }];
  const started = await request(partner, 'POST /places/sync', { places });
  expect(await finishedSession(partner, started)).toMatchObject({ status: 'FINISHED', errors: [] });
  const headers = {
    authorization: house.credentials,
    offerid: 'bars-of-moscow',
    'content-type': 'application/json',
  };
  for (const [route, door] of Object.entries(doors)) {
    const [method = ''] = route.split(' ');
    const heard = await knock(house.baseUrl, { method, ...(await door.request(house)), headers });
    expect([route, heard.status, heard.tookMs < 5_000]).toEqual([route, 200, true]);
  }
}
