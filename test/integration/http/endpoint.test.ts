import { beforeEach, expect, test } from 'vitest';
import { registerCheckIn } from '../../../functions/check-ins/register-check-in.ts';
import { call, forBars, neverKept, type Request, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';

const rig = inEachTest(checkInRig);
let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = collectLines();
});

/** Redeems a check-in while that throws an error with this message. */
function surprised(message: string, request: Request = {}) {
  const redeem = () => Promise.reject(new Error(message));
  const broken = registerCheckIn({ ...rig.deps, checkIns: { ...rig.checkIns, redeem } });
  return call(broken, { ...forBars, body: { checkinNumber: 1 }, ...request });
}

test('a request leaves one line: who, what, outcome and how long', async () => {
  await rig.opened('card-1');
  lines.length = 0;
  await rig.register(1, { requestId: 'r-1' });
  expect(lines).toEqual([
    {
      message: 'RegisterCheckIn',
      code: 'RegisterCheckIn',
      requestId: 'r-1',
      invocationId: expect.any(String),
      callerId: 'bars',
      login: 'bars',
      offerId: 'bars-of-moscow',
      checkinNumber: 1,
      outcome: 'answered',
      statusCode: 200,
      refusal: undefined,
      durationMs: expect.any(Number),
    },
  ]);
});

test('rule 4: a surprise is answered 500 with the reference that is in the log, and with nothing else', async () => {
  const response = await surprised('table partition-7 is on fire', { requestId: 'r-2' });
  expect(response).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'reference r-2'));
  expect(JSON.stringify(response)).not.toContain('partition');
  expect(lines).toMatchObject([
    { requestId: 'r-2', outcome: 'failed', error: { message: 'table partition-7 is on fire' } },
  ]);
  // One rule counts the partners whose work fails, in these lines and in those of the gateway.
  expect(lines).toMatchObject([{ status: '500', partnerId: 'bars' }]);
});

test('rule 3: no response is kept on its way, or taken for another type: a success and its replay', async () => {
  await rig.opened('card-1');
  const keyed = { ...forBars, headers: { ...forBars.headers, 'idempotency-key': 'k' } };
  expect((await rig.register(1, keyed)).headers).toMatchObject(neverKept);
  const { headers } = await rig.register(1, keyed);
  expect(headers).toMatchObject({ ...neverKept, 'idempotent-replayed': 'true' });
});

test('a route that the gateway forgot to protect lets nobody in', async () => {
  const response = await call(rig.handlers.list, {
    rawPath: '/partner/api/place/p1/checkins',
    headers: { offerid: 'bars-of-moscow' },
  });
  expect(response).toMatchObject(refusal(500, 'INTERNAL_ERROR'));
});

function accepting(accept: string) {
  return { headers: { offerid: 'bars-of-moscow', accept } };
}

const problem = accepting('application/json;q=0.5, Application/Problem+JSON;q=0.9');

test('rule 38: with Accept: application/problem+json an error is problem details, and has the same headers', async () => {
  const rawPath = '/partner/api/check#in/register';
  expect(await rig.register(1, { ...problem, rawPath, requestId: 'JKJaXmPLvHcESHA=' })).toEqual({
    status: 404,
    headers: { ...neverKept, 'content-type': 'application/problem+json', 'x-error': 'CHECKIN_NOT_FOUND' },
    body: {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'checkinNumber: 1 is not a check-in of this offer',
      instance: '/partner/api/check%23in/register#JKJaXmPLvHcESHA%3D',
      code: 'CHECKIN_NOT_FOUND',
      errors: ['checkinNumber: 1 is not a check-in of this offer'],
    },
  });
});

test('rule 38: problem details of a path that is no Unicode name it all the same', async () => {
  const { status, body } = await rig.register(1, {
    ...problem,
    rawPath: '/partner/\ud800',
    requestId: 'r-3',
  });
  expect({ status, body }).toMatchObject({ status: 404, body: { instance: '/partner/%EF%BF%BD#r-3' } });
});

test('rule 38: media types other than application/problem+json get the usual errors', async () => {
  const problem = 'application/problem+json';
  const refused = [
    `${problem};q=0`,
    `${problem}, application/json`,
    `${problem};q=0.1, application/json;q=0.5`,
  ];
  for (const accept of ['*/*', 'application/json', ...refused])
    expect((await rig.register(1, accepting(accept))).body).toMatchObject({ status: 'CHECKIN_NOT_FOUND' });
});
