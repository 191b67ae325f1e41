import { expect, onTestFinished, test } from 'vitest';
import { runPartner } from '../../ops/partner/program.ts';
import { callbackRequest } from '../../shared/callbacks/callback.ts';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { systemClock } from '../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';
import { startFixtureIn, temporaryFolder } from './fixtures/fixture-service.ts';

/** Starts the fixture with simulators, the stores of its partners and the operator's command. */
async function startIn(stateDir: string, fresh = false) {
  const { service } = await startFixtureIn(stateDir, { simulators: true, fresh });
  onTestFinished(service.stop);
  const { endpoints } = service;
  const table = connectLocalTable(endpoints.tableName, endpoints.dynamodb);
  onTestFinished(() => table.client.destroy());
  const operator = async (line: string): Promise<void> => {
    const printed: string[] = [];
    const print = (text: string) => printed.push(text);
    const terminal = { print, printError: print, readPiped: async () => 'pw' };
    const words = [...line.split(' '), '--state', stateDir];
    const exit = await runPartner(words, { terminal, clock: systemClock, ids: systemIds });
    expect(exit, printed.join('\n')).toBe(0);
  };
  return {
    stop: service.stop,
    endpoints,
    operator,
    partners: partnerAdminStore(table),
    endpointOf: async (partnerId: string) => (await endpointStore(table).view(partnerId)).endpoint,
  };
}

test('a restart keeps the secrets and addresses of both partners, and a fresh start makes new ones', async () => {
  const stateDir = temporaryFolder();
  const startedWith = async (fresh: boolean) => {
    const { endpoints, endpointOf, stop } = await startIn(stateDir, fresh);
    const { partner, other } = endpoints;
    expect(await endpointOf('bars')).toMatchObject({ url: `${partner?.url}/callback`, status: 'enabled' });
    await stop();
    return [endpoints.secret, partner?.webhookSecret, other.secret, other.partner?.webhookSecret];
  };
  const first = await startedWith(false);
  expect(new Set(first).size).toBe(4);
  expect(await startedWith(false)).toEqual(first);
  expect((await startedWith(true)).filter((secret) => first.includes(secret))).toEqual([]);
});

test('after a restart an erased partner is gone, and of a secret that has ended the reason stands in its place', async () => {
  const stateDir = temporaryFolder();
  const first = await startIn(stateDir);
  await first.operator('disable bars --yes');
  await first.operator('erase bars --yes');
  await first.operator('keys rotate bakery');
  await first.operator('keys retire bakery --yes');
  await first.stop();
  const { endpoints, partners, endpointOf } = await startIn(stateDir);
  const fresh = `This begins again, with new ones: npm run start -- --fresh --state ${stateDir}`;
  expect(endpoints).toMatchObject({
    secret: '',
    whyNoSecret: `Partner bars was erased: its credentials in this folder do not work any more. ${fresh}`,
    other: {
      secret: '',
      whyNoSecret: `The secret of bakery in this folder has ended: its credentials in this folder do not work any more. This prints another one, and keeps all data: npm run partner -- keys rotate bakery bakery --state ${stateDir}. ${fresh}`,
    },
  });
  expect(await partners.find('bars')).toBeUndefined();
  expect(await endpointOf('bars')).toBeUndefined();
});

test('after a restart the simulated partner verifies callbacks with what the endpoint has since', async () => {
  const stateDir = temporaryFolder();
  const first = await startIn(stateDir);
  await first.operator('callback rotate bars');
  await first.operator('callback retire bars --yes');
  const url = `${first.endpoints.partner?.url}/callback`;
  await first.operator(`callback set bars --url ${url} --login mine --password-stdin`);
  await first.stop();
  const again = await startIn(stateDir);
  expect(again.endpoints.partner).toMatchObject({ basic: { login: 'mine', password: 'pw' } });
  const endpoint = await again.endpointOf('bars');
  if (!endpoint || !isPosted(endpoint)) throw new Error('bars has no endpoint to post to');
  const callback = {
    partnerId: 'bars',
    messageId: 'm-1',
    msisdn: 79_001_234_567,
    state: 'DELIVERED' as const,
  };
  const { post } = guardedClient(addressPolicy('loopback-too'));
  await post(callbackRequest(endpoint, { ...callback, changedAt: 0 }, Date.now()));
  const received = await fetch(endpoint.url.replace(/callback$/, 'received'));
  expect(await received.json()).toMatchObject([{ verified: true }]);
});
