import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../local/log.ts';
import { type LocalServiceOptions, startLocalService } from '../../local/service.ts';
import { assemblyDir, startFixtureIn, temporaryFolder } from './fixtures/fixture-service.ts';

/** Starts the fixture with simulators. */
async function startIn(stateDir: string, options: Partial<LocalServiceOptions> = {}) {
  const fixture = await startFixtureIn(stateDir, { simulators: true, ...options });
  onTestFinished(fixture.service.stop);
  const { endpoints } = fixture.service;
  const endpointRow = async (partnerId: string) => {
    const { Item } = await fixture.dynamodb<{ Item?: Record<string, { S?: string }> }>('GetItem', {
      TableName: 'data-Table',
      Key: { pk: { S: `ENDPOINT#${partnerId}` }, sk: { S: 'SETTINGS' } },
    });
    return Item && { url: Item['url']?.S, status: Item['status']?.S };
  };
  return { ...fixture, endpoints, endpointRow };
}

test('the endpoints of both partners lead to their simulators, and endpoints.json says where those are', async () => {
  const stateDir = temporaryFolder();
  const { endpoints, endpointRow } = await startIn(stateDir);
  const { partner, other } = JSON.parse(readFileSync(join(stateDir, 'endpoints.json'), 'utf8'));
  expect(endpoints).toMatchObject({ partner, other });
  expect(await endpointRow('bars')).toEqual({ url: `${partner.url}/callback`, status: 'enabled' });
  expect(await endpointRow('bakery')).toEqual({ url: `${other.partner.url}/callback`, status: 'enabled' });
  for (const { webhookSecret } of [partner, other.partner])
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(partner.webhookSecret).not.toBe(other.partner.webhookSecret);
  const responses = [`${partner.url}/received`, `${other.partner.url}/received`];
  for (const url of responses) expect((await fetch(url)).status, url).toBe(200);
});

test('a restart keeps the secrets, and a fresh start makes new ones', async () => {
  const stateDir = temporaryFolder();
  const secretsAfter = async (options: { fresh: boolean }) => {
    const service = await startLocalService({
      ...options,
      stateDir,
      assemblyDir,
      log: silentLog,
    });
    await service.stop();
    const { secret, partner, other } = service.endpoints;
    return [secret, partner?.webhookSecret, other.secret, other.partner?.webhookSecret];
  };
  const first = await secretsAfter({ fresh: false });
  expect(new Set(first).size).toBe(4);
  expect(await secretsAfter({ fresh: false })).toEqual(first);
  const renewed = await secretsAfter({ fresh: true });
  expect(renewed.filter((secret) => first.includes(secret))).toEqual([]);
});

test('without simulators the endpoints stay as they are, and are served again when simulators run', async () => {
  const stateDir = temporaryFolder();
  const first = await startIn(stateDir);
  const before = await first.endpointRow('bars');
  await first.service.stop();
  const without = await startIn(stateDir, { simulators: false });
  expect(without.endpoints).not.toHaveProperty('partner');
  expect(without.endpoints.other).not.toHaveProperty('partner');
  expect(await without.endpointRow('bars')).toEqual(before);
  await without.service.stop();

  const again = await startIn(stateDir);
  expect(await again.endpointRow('bars')).toEqual(before);
  expect(before?.url).toBe(`${again.endpoints.partner?.url}/callback`);
});
