import { expect, test } from 'vitest';
import { invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, justBefore } from '../../support/intercept-calls.ts';
import { selfServiceRig } from './self-service-rig.ts';

const rig = inEachTest(selfServiceRig);

/** Sets the endpoint by a request to this host of the stage. */
function put(body: object, stage: 'local' | 'sandbox' | 'deployed' = 'deployed', host = 'api.example') {
  return rig.ask('put', body, { stage, headers: { 'x-forwarded-proto': 'https', host } });
}

const url = 'https://bars.example/callbacks';
const basic = { login: 'wallet', password: 'their secret' };

const taken = { status: 200 };
const again = invalid('basic: send it again for the new address, or null');

test('rule 51: an address of another origin asks for the password again, and changes nothing without it', async () => {
  const mine = 'http://127.0.0.1:4000/callbacks';
  await put({ url: mine, basic }, 'local');
  const others = [
    'https://evil.example/callbacks',
    'https://127.0.0.1:4000/callbacks',
    'http://127.0.0.1:8443/callbacks',
    'https://127.0.0.1.evil.example/callbacks',
    'https://evil.example/@127.0.0.1:4000/callbacks',
  ];
  for (const other of others) {
    expect(await put({ url: other, timeoutSeconds: 5, states: ['OPENED'] }, 'local')).toMatchObject(again);
    const kept = { url: mine, timeoutMs: 15_000, basic: { login: 'wallet', secret: 'their secret' } };
    expect(await rig.stored()).toMatchObject(kept);
  }
});

test('rule 51: an address of the same origin keeps the password', async () => {
  await put({ url, basic });
  for (const same of ['https://bars.example/other?x=1', 'https://BARS.example:443/callbacks']) {
    expect(await put({ url: same })).toMatchObject(taken);
    expect(await rig.stored()).toMatchObject({ url: same, basic: { secret: 'their secret' } });
  }
});

test('rule 51: a new address is taken with credentials, with null, and where none are stored', async () => {
  const other = 'https://other.example/';
  await put({ url, basic });
  expect(await put({ url: other, basic: { login: 'us', password: 'new' } })).toMatchObject(taken);
  expect(await rig.stored()).toMatchObject({ url: other, basic: { login: 'us', secret: 'new' } });
  expect(await put({ url, basic: null })).toMatchObject(taken);
  expect(await rig.stored()).not.toHaveProperty('basic');
  expect(await put({ url: other })).toMatchObject(taken);
});

test('rule 51: credentials that another request stores meanwhile are not sent to the new address', async () => {
  await put({ url });
  const isChange = ({ name }: Call) => name === 'TransactWriteItemsCommand';
  justBefore(rig.table.client, isChange, async () => expect(await put({ basic })).toMatchObject(taken));
  expect(await put({ url: 'https://other.example/' })).toMatchObject(again);
  expect(await rig.stored()).toMatchObject({ url, basic: { secret: 'their secret' } });
});

test('rule 51: an address of the service, or at the host of the request, is refused, but for receivers of a sandbox', async () => {
  const isThisService = invalid('url: is this service');
  const receiver = { url: 'https://api.example/sandbox/callbacks/bars.C2FVsBQIhrscChlQ' };
  expect(await put(receiver)).toMatchObject(isThisService);
  expect(await put({ url: 'https://abc123.execute-api.eu-central-1.amazonaws.com/' })).toMatchObject(
    isThisService,
  );
  const called = { url: 'https://bücher.example/' };
  expect(await put(called, 'deployed', 'xn--bcher-kva.example')).toMatchObject(isThisService);
  expect(await rig.stored()).toBeUndefined();
  expect(await put(called)).toMatchObject(taken);
  expect(await put(receiver, 'sandbox')).toMatchObject(taken);
  expect(await put({ url }, 'deployed', 'not:a:host')).toMatchObject(taken);
});
