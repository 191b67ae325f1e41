import { beforeEach, describe, expect, test } from 'vitest';
import { putEndpoint } from '../../../functions/callbacks/put-endpoint.ts';
import { setEndpoint } from '../../../shared/callbacks/endpoint/settings.ts';
import { liveKeys } from '../../../shared/partners/live-key.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { idempotencyStore } from '../../../shared/platform/http/idempotency.ts';
import { requestBudgets } from '../../../shared/platform/limits/request-budget.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { bars, call } from '../../support/http.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';
import { callbacksRig } from './callbacks-rig.ts';

async function addressRig() {
  const rig = await callbacksRig();
  await storeTwoPartners(rig.table);
  const stores = {
    idempotency: idempotencyStore(rig.table),
    budgets: requestBudgets(rig.table),
    keys: liveKeys(rig.table),
  };
  const deps = { ...rig, ids: systemIds, ...stores };
  const handler = (name: string, own: { origins: string[]; hasReceivers: boolean }) => {
    const set = setEndpoint({ ...deps, addresses: addressPolicy(name) });
    return putEndpoint({ ...deps, set, own, logByDefault: 'failures' });
  };
  const origins = ['https://api.example', 'https://abc123.execute-api.eu-central-1.amazonaws.com'];
  const handlers = {
    deployed: handler('public', { origins, hasReceivers: false }),
    sandbox: handler('public', { origins, hasReceivers: true }),
    local: handler('loopback-too', { origins, hasReceivers: true }),
  };
  const put = (body: object, stage: keyof typeof handlers = 'deployed', origin = 'https://api.example') => {
    const [proto = '', host = ''] = origin.split('://');
    const headers = { 'x-forwarded-proto': proto, host };
    return call(handlers[stage], { partner: bars, method: 'PUT', body, headers });
  };
  const stored = async () => (await rig.endpoints.view('bars', { consistent: true })).endpoint;
  return { ...rig, put, stored };
}

let rig: Awaited<ReturnType<typeof addressRig>>;
beforeEach(async () => {
  rig = await addressRig();
});

const url = 'https://bars.example/callbacks';
const basic = { login: 'wallet', password: 'their secret' };

function refused(sentence: string) {
  return { status: 400, body: { status: 'REQUEST_INVALID', errors: [sentence] } };
}
const again = refused('basic: send it again for the new address, or null');
const isThisService = refused('url: is this service');

describe('rule 51: a new address asks for its password again', () => {
  test.each([
    'https://evil.example/callbacks',
    'https://bars.example:8443/callbacks',
    'https://bars.example.evil.example/callbacks',
    'https://bars.example./callbacks',
    'https://evil.example/@bars.example/callbacks',
  ])('%s alone is refused, and changes nothing', async (other) => {
    await rig.put({ url, basic });
    rig.table.units();
    expect(await rig.put({ url: other })).toMatchObject(again);
    expect(await rig.put({ url: other, timeoutSeconds: 5, states: ['OPENED'] })).toMatchObject(again);
    // Each reads its key and the endpoint.
    expect(rig.table.units()).toMatchObject({ read: 4, write: 0 });
    expect(await rig.stored()).toMatchObject({
      url,
      timeoutMs: 15_000,
      basic: { login: 'wallet', secret: 'their secret' },
    });
  });

  test('with another scheme it is another origin', async () => {
    const loopback = 'http://127.0.0.1:4000/callbacks';
    await rig.put({ url: loopback, basic }, 'local');
    expect(await rig.put({ url: 'https://127.0.0.1:4000/callbacks' }, 'local')).toMatchObject(again);
  });

  test.each([
    ['https://bars.example/other?x=1', 'https://bars.example/other?x=1'],
    ['https://BARS.example:443/callbacks', 'https://BARS.example:443/callbacks'],
  ])('%s is the same origin, and keeps the password', async (same) => {
    await rig.put({ url, basic });
    expect(await rig.put({ url: same })).toMatchObject({ status: 200 });
    expect(await rig.stored()).toMatchObject({ url: same, basic: { secret: 'their secret' } });
  });

  test('a new address is taken with credentials, with null, and where none are stored', async () => {
    const other = 'https://other.example/';
    await rig.put({ url, basic });
    expect(await rig.put({ url: other, basic: { login: 'us', password: 'new' } })).toMatchObject({
      status: 200,
    });
    expect(await rig.stored()).toMatchObject({ url: other, basic: { login: 'us', secret: 'new' } });
    expect(await rig.put({ url, basic: null })).toMatchObject({ status: 200 });
    expect(await rig.stored()).not.toHaveProperty('basic');
    expect(await rig.put({ url: other })).toMatchObject({ status: 200 });
  });

  test('credentials that another request stores meanwhile are not sent to the new address', async () => {
    await rig.put({ url });
    let isFirst = true;
    rig.table.client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === 'TransactWriteItemsCommand' && isFirst) {
          isFirst = false;
          expect(await rig.put({ basic })).toMatchObject({ status: 200 });
        }
        return next(args);
      },
      { step: 'initialize' },
    );
    expect(await rig.put({ url: 'https://other.example/' })).toMatchObject(again);
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
    expect(await rig.put({ url: own })).toMatchObject(isThisService);
    expect(await rig.stored()).toBeUndefined();
  });

  test('an address at the host of the request itself is refused, whatever its form', async () => {
    const called = 'https://xn--bcher-kva.example';
    expect(await rig.put({ url: 'https://Bücher.example/' }, 'deployed', called)).toMatchObject(
      isThisService,
    );
    expect(await rig.put({ url: 'https://bücher.example/' })).toMatchObject({ status: 200 });
  });

  test('other hosts and other ports are not the service', async () => {
    for (const other of ['https://api.example:8443/', 'https://api.example.evil.example/', url])
      expect(await rig.put({ url: other })).toMatchObject({ status: 200 });
  });

  test('a host that is none does not matter', async () => {
    expect(await rig.put({ url }, 'deployed', 'https://not:a:host')).toMatchObject({ status: 200 });
  });

  test('a receiver of the sandbox is called back, and nothing else there', async () => {
    const receiver = 'https://api.example/sandbox/callbacks/bars.C2FVsBQIhrscChlQ';
    expect(await rig.put({ url: receiver }, 'sandbox')).toMatchObject({ status: 200 });
    for (const path of ['', '/more', '/../../../callbacks/test', '%2f..%2f..%2fcallbacks%2ftest'])
      expect(await rig.put({ url: `${receiver}${path}` }, 'sandbox')).toMatchObject(
        path === '' ? { status: 200 } : isThisService,
      );
  });

  test('on a laptop another port of the same host is another server', async () => {
    const called = 'http://127.0.0.1:3000';
    expect(await rig.put({ url: `${called}/callbacks/test` }, 'local', called)).toMatchObject(isThisService);
    expect(await rig.put({ url: 'http://127.0.0.1:4000/' }, 'local', called)).toMatchObject({ status: 200 });
  });
});
