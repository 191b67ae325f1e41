import { expect, test } from 'vitest';
import { call, invalid } from '../../support/http.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';
import { pushRig } from '../push/push-rig.ts';

test.each<[query: Record<string, string>, error: string]>([
  [{ page: '2' }, 'page: unknown, known are limit, cursor'],
  [{ Limit: '2' }, 'Limit: unknown, did you mean limit?'],
  [{ limit: '1', Limit: '2' }, 'Limit: unknown, known are limit, cursor'],
])('rule 59: outside the contract, a query of %j is refused: %s', async (query, error) => {
  const { sends } = await pushRig();
  expect(await sends(query)).toMatchObject(invalid(error));
});

test('rule 59: an operation without parameters says so', async () => {
  const { handlers } = await pushRig();
  const request = { body: { registered: [79_001_234_567] }, query: { force: 'yes' } };
  const refused = invalid('force: unknown, leave it out');
  expect(await call(handlers.recipients, request)).toMatchObject(refused);
});

const message = {
  pushType: 'SERVICE',
  payload: { title: 'Ready', message: 'Come and get it' },
  msisdn: 79_001_234_567,
};

test.each<[query: Record<string, string>, status: number]>([
  [{ utm_source: 'crm', _: '1' }, 200],
  [{ dryrun: 'true' }, 400],
  [{ dryRun: 'true', dryrun: 'false' }, 200],
  // They are one letter away from a member of the body, or in the body too.
  [{ os: 'ios', tm: '171' }, 200],
  [{ msisdn: '79001234567', pushType: 'SERVICE' }, 200],
  [{ qos: 'high' }, 400],
])('rule 59: on an operation of the contract, a query of %j is %i', async (query, status) => {
  const { single } = await pushRig();
  expect((await single(message, { query })).status).toBe(status);
});

test('rule 59: a parameter is refused in place of a member of an object in the body, and of the elements of a list', async () => {
  const { single, multi } = await pushRig();
  const advice = 'unknown here, send qos.deliverFrom in the body';
  const query = { deliverFrom: '2026-05-20T12:10:00Z' };
  const xError = `REQUEST_INVALID; deliverFrom: ${advice}`;
  expect(await single(message, { query })).toMatchObject({ status: 400, headers: { 'x-error': xError } });
  expect(await multi([message], { query })).toMatchObject(invalid(`deliverFrom: ${advice}`));
  expect(await multi([message], { query: { qos: 'x' } })).toMatchObject({ status: 400 });
  const planned = { ...message, qos: query };
  expect((await multi([message, planned], { query })).status).toBe(400);
  expect((await multi([planned], { query })).status).toBe(200);
});

test('rule 59: a parameter is refused in place of a member that the body lacks, and ignored beside it', async () => {
  const rig = await checkInRig();
  await rig.opened('card-1');
  const query = { placeId: 'p2', pos: '7' };
  const advice = 'placeId: unknown here, send placeId in the body';
  expect(await rig.register(1, { query })).toMatchObject(invalid(advice));
  expect((await rig.register(1, { query, body: { checkinNumber: 1, placeId: 'p1' } })).status).toBe(200);
});
