import { describe, expect, test } from 'vitest';
import { invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, justBefore } from '../../support/intercept-calls.ts';
import { selfServiceRig } from './self-service-rig.ts';

const rig = inEachTest(selfServiceRig);

type Stage = 'local' | 'sandbox' | 'deployed';

/** Sets the endpoint by a request to this origin of the stage. */
function put(body: object, stage: Stage = 'deployed', origin = 'https://api.example') {
  const [proto = '', host = ''] = origin.split('://');
  return rig.ask('put', body, { stage, headers: { 'x-forwarded-proto': proto, host } });
}

const url = 'https://bars.example/callbacks';
const basic = { login: 'wallet', password: 'their secret' };

const taken = { status: 200 };
const again = invalid('basic: send it again for the new address, or null');
const isThisService = invalid('url: is this service');

describe('rule 51: a new address asks for its password again', () => {
  test.each([
    'https://evil.example/callbacks',
    'https://bars.example:8443/callbacks',
    'https://bars.example.evil.example/callbacks',
    'https://bars.example./callbacks',
    'https://evil.example/@bars.example/callbacks',
  ])('%s alone is refused, and changes nothing', async (other) => {
    await put({ url, basic });
    expect(await put({ url: other })).toMatchObject(again);
    expect(await put({ url: other, timeoutSeconds: 5, states: ['OPENED'] })).toMatchObject(again);
    const kept = { url, timeoutMs: 15_000, basic: { login: 'wallet', secret: 'their secret' } };
    expect(await rig.stored()).toMatchObject(kept);
  });

  test('with another scheme it is another origin', async () => {
    const loopback = 'http://127.0.0.1:4000/callbacks';
    await put({ url: loopback, basic }, 'local');
    expect(await put({ url: 'https://127.0.0.1:4000/callbacks' }, 'local')).toMatchObject(again);
  });

  test.each(['https://bars.example/other?x=1', 'https://BARS.example:443/callbacks'])(
    '%s is the same origin, and keeps the password',
    async (same) => {
      await put({ url, basic });
      expect(await put({ url: same })).toMatchObject(taken);
      expect(await rig.stored()).toMatchObject({ url: same, basic: { secret: 'their secret' } });
    },
  );

  test('a new address is taken with credentials, with null, and where none are stored', async () => {
    const other = 'https://other.example/';
    await put({ url, basic });
    expect(await put({ url: other, basic: { login: 'us', password: 'new' } })).toMatchObject(taken);
    expect(await rig.stored()).toMatchObject({ url: other, basic: { login: 'us', secret: 'new' } });
    expect(await put({ url, basic: null })).toMatchObject(taken);
    expect(await rig.stored()).not.toHaveProperty('basic');
    expect(await put({ url: other })).toMatchObject(taken);
  });

  test('credentials that another request stores meanwhile are not sent to the new address', async () => {
    await put({ url });
    const isChange = ({ name }: Call) => name === 'TransactWriteItemsCommand';
    justBefore(rig.table.client, isChange, async () => expect(await put({ basic })).toMatchObject(taken));
    expect(await put({ url: 'https://other.example/' })).toMatchObject(again);
    expect(await rig.stored()).toMatchObject({ url, basic: { secret: 'their secret' } });
  });
});

describe('rule 51: the service does not call itself back', () => {
  test.each([
    'https://api.example/callbacks/test',
    'https://API.Example:443/callbacks/test',
    'https://api.example./callbacks/test',
    'https://abc123.execute-api.eu-central-1.amazonaws.com/callbacks/test',
    'https://api.example/sandbox/callbacks/bars.C2FVsBQIhrscChlQ',
  ])('%s is refused', async (own) => {
    expect(await put({ url: own })).toMatchObject(isThisService);
    expect(await rig.stored()).toBeUndefined();
  });

  test('an address at the host of the request itself is refused, whatever its form', async () => {
    const called = 'https://xn--bcher-kva.example';
    expect(await put({ url: 'https://Bücher.example/' }, 'deployed', called)).toMatchObject(isThisService);
    expect(await put({ url: 'https://bücher.example/' })).toMatchObject(taken);
  });

  test('other hosts and other ports are not the service, and a host that is none does not matter', async () => {
    for (const other of ['https://api.example:8443/', 'https://api.example.evil.example/', url])
      expect(await put({ url: other })).toMatchObject(taken);
    expect(await put({ url }, 'deployed', 'https://not:a:host')).toMatchObject(taken);
  });

  test('a receiver of the sandbox is called back, and nothing else there', async () => {
    const receiver = 'https://api.example/sandbox/callbacks/bars.C2FVsBQIhrscChlQ';
    expect(await put({ url: receiver }, 'sandbox')).toMatchObject(taken);
    for (const path of ['/more', '/../../../callbacks/test', '%2f..%2f..%2fcallbacks%2ftest'])
      expect(await put({ url: `${receiver}${path}` }, 'sandbox')).toMatchObject(isThisService);
  });

  test('on a laptop another port of the same host is another server', async () => {
    const called = 'http://127.0.0.1:3000';
    expect(await put({ url: `${called}/callbacks/test` }, 'local', called)).toMatchObject(isThisService);
    expect(await put({ url: 'http://127.0.0.1:4000/' }, 'local', called)).toMatchObject(taken);
  });
});
