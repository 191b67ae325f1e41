import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runPartner } from '../../ops/partner/program.ts';
import { callbackRequest } from '../../shared/callbacks/callback.ts';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { systemClock } from '../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';
import { startFixture, startFixtureIn, temporaryFolder } from './fixtures/fixture-service.ts';

/** Starts the fixture with simulators, the stores of its partners and the operator's command. */
async function startIn(stateDir: string) {
  const { service, dynamodb } = await startFixtureIn(stateDir, { simulators: true });
  onTestFinished(service.stop);
  const { endpoints } = service;
  const table = connectLocalTable(endpoints.tableName, endpoints.dynamodb);
  onTestFinished(() => table.client.destroy());
  const operator = async (line: string, piped = ''): Promise<void> => {
    const printed: string[] = [];
    const print = (text: string) => printed.push(text);
    const terminal = { print, printError: print, readPiped: async () => piped };
    const words = [...line.split(' '), '--state', stateDir];
    const exit = await runPartner(words, { terminal, clock: systemClock, ids: systemIds });
    expect(exit, printed.join('\n')).toBe(0);
  };
  return {
    stop: service.stop,
    dynamodb,
    endpoints,
    operator,
    partners: partnerAdminStore(table),
    keys: keyStore(table),
    endpointOf: async (partnerId: string) => (await endpointStore(table).view(partnerId)).endpoint,
  };
}
type Started = Awaited<ReturnType<typeof startIn>>;

/** Changes a started service, then starts it again on the same folder. */
async function afterRestart(change: (started: Started) => Promise<unknown>) {
  const stateDir = temporaryFolder();
  const first = await startIn(stateDir);
  await change(first);
  await first.stop();
  return { stateDir, first, again: await startIn(stateDir) };
}

test('a deleted key and an ended secret stay so, and are not printed any more', async () => {
  const { stateDir, again } = await afterRestart(async ({ operator }) => {
    await operator('keys create bars --role full');
    await operator('keys revoke bars bars --yes');
    await operator('keys rotate bakery');
    await operator('keys retire bakery --yes');
  });
  const fresh = `This begins again, with new ones: npm run start -- --fresh --state ${stateDir}`;
  const revoked = `The key bars was revoked: its credentials in this folder do not work any more. ${fresh}`;
  expect(again.endpoints).toMatchObject({ login: 'bars', secret: '', whyNoSecret: revoked });
  const curl = readFileSync(join(stateDir, 'curl.conf'), 'utf8');
  expect(curl).toContain(`# ${revoked}\n`);
  expect(curl).not.toContain('user =');
  expect(await again.partners.key('bars')).toBeUndefined();
  expect(await again.keys.list('bars')).toMatchObject([{ role: 'full', partnerId: 'bars' }]);
  expect(again.endpoints.other).toMatchObject({
    login: 'bakery',
    secret: '',
    whyNoSecret: `The secret of bakery in this folder has ended: its credentials in this folder do not work any more. This prints another one, and keeps all data: npm run partner -- keys rotate bakery bakery --state ${stateDir}. ${fresh}`,
  });
});

test('an erased partner does not come back, its offer stays with the new owner, and a disabled partner stays so', async () => {
  const { stateDir, again } = await afterRestart(async ({ operator }) => {
    await operator('disable bars --yes');
    await operator('erase bars --yes');
    await operator('offers add bakery bars-of-moscow');
    await operator('disable bakery --yes');
  });
  expect(again.endpoints.whyNoSecret).toBe(
    `Partner bars was erased: its credentials in this folder do not work any more. This begins again, with new ones: npm run start -- --fresh --state ${stateDir}`,
  );
  expect(await again.partners.find('bars')).toBeUndefined();
  expect(await again.endpointOf('bars')).toBeUndefined();
  expect(await again.partners.offers(['bars-of-moscow'])).toMatchObject([{ partnerId: 'bakery' }]);
  expect(again.endpoints.other).toMatchObject({
    secret: '',
    whyNoSecret: `Partner bakery is disabled. This enables it: npm run partner -- enable bakery --state ${stateDir}`,
  });
  expect(await again.partners.find('bakery')).toMatchObject({
    disabled: true,
    offerIds: ['bakery-club', 'bars-of-moscow'],
  });
});

test('in a rotation the first secret is printed, callbacks stay disabled, and simulated partners keep their port', async () => {
  const { first, again } = await afterRestart(async ({ operator }) => {
    await operator('keys rotate bars');
    await operator('callback disable bars --yes');
  });
  expect(again.endpoints).not.toHaveProperty('whyNoSecret');
  expect(again.endpoints.secret).toBe(first.endpoints.secret);
  expect((await again.partners.key('bars'))?.secrets).toHaveLength(2);
  expect(await again.endpointOf('bars')).toMatchObject({ status: 'disabled' });
  expect(again.endpoints.partner).toEqual(first.endpoints.partner);
  expect(again.endpoints.other.partner).toEqual(first.endpoints.other.partner);
});

test('the simulated partner verifies callbacks with what the endpoint has since', async () => {
  const { first, again } = await afterRestart(async ({ operator, endpoints }) => {
    await operator('callback rotate bars');
    await operator('callback retire bars --yes');
    await operator(
      `callback set bars --url ${endpoints.partner?.url}/callback --login mine --password-stdin`,
      'pw',
    );
    await operator(`callback set bakery --url ${endpoints.other.partner?.url}/callback --no-login`);
  });
  expect(again.endpoints.partner?.webhookSecret).not.toBe(first.endpoints.partner?.webhookSecret);
  expect(again.endpoints.partner).toMatchObject({ basic: { login: 'mine', password: 'pw' } });
  const { url, webhookSecret } = first.endpoints.other.partner ?? {};
  expect(again.endpoints.other.partner).toEqual({ url, webhookSecret });
  const { post } = guardedClient(addressPolicy('loopback-too'));
  for (const partnerId of ['bars', 'bakery']) {
    const endpoint = await again.endpointOf(partnerId);
    if (!endpoint || !isPosted(endpoint)) throw new Error(`${partnerId} has no endpoint to post to`);
    const callback = { partnerId, messageId: 'm-1', msisdn: 79_001_234_567, state: 'DELIVERED' as const };
    await post(callbackRequest(endpoint, { ...callback, changedAt: 0 }, Date.now()));
    const received = await fetch(endpoint.url.replace(/callback$/, 'received'));
    expect(await received.json()).toMatchObject([{ verified: true }]);
  }
});

test('where their port is taken, an address follows them that is still theirs, and nothing else changes', async () => {
  const stateDir = temporaryFolder();
  const first = await startIn(stateDir);
  await first.operator('callback set bars --url http://127.0.0.1:8001/callback --no-login');
  await first.operator('callback rotate bakery');
  await first.operator('callback disable bakery --yes');
  const before = { bars: await first.endpointOf('bars'), bakery: await first.endpointOf('bakery') };
  await first.stop();
  const port = new URL(first.endpoints.partner?.url ?? '').port;
  const squatter = createServer().listen(Number(port), '127.0.0.1');
  onTestFinished(() => {
    squatter.close();
  });

  const moved = await startIn(stateDir);
  const movedPort = new URL(moved.endpoints.partner?.url ?? '').port;
  expect(movedPort).not.toBe(port);
  expect(await moved.endpointOf('bars')).toEqual(before.bars);
  const url = `http://127.0.0.1:${movedPort}/other/callback`;
  expect(await moved.endpointOf('bakery')).toEqual({ ...before.bakery, url });
  await moved.stop();

  const again = await startIn(stateDir);
  expect(new URL(again.endpoints.partner?.url ?? '').port).toBe(movedPort);
});

test('a table that was deleted and created again is seeded again', async () => {
  const { service } = await startFixture();
  process.env['DYNAMODB_ENDPOINT'] = service.endpoints.dynamodb;
  onTestFinished(() => {
    delete process.env['DYNAMODB_ENDPOINT'];
  });
  const { first, again } = await afterRestart(({ dynamodb, endpoints }) =>
    dynamodb('DeleteTable', { TableName: endpoints.tableName }),
  );
  expect(again.endpoints.secret).toBe(first.endpoints.secret);
  expect(await again.endpointOf('bars')).toMatchObject({ url: `${again.endpoints.partner?.url}/callback` });
});
