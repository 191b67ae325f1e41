import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../local/log.ts';
import { rememberPartners } from '../../local/partners.ts';
import { seedPartners } from '../../local/seed.ts';
import { type LocalServiceOptions, startLocalService } from '../../local/service.ts';
import { editedAssembly, eventually, startFixtureIn, temporaryFolder } from './fixtures/fixture-service.ts';

function queue(name: string) {
  return {
    Type: 'AWS::SQS::Queue',
    Properties: { QueueName: `fixture-dev-${name}` },
  };
}

function withQueues() {
  return editedAssembly((resources) => {
    resources.PushOutbox = queue('push-outbox');
    resources.DeliveryReceipts = queue('delivery-receipts');
  });
}

/** The fixture with simulators and the partners that npm start would have. */
async function startIn(stateDir: string, options: Partial<LocalServiceOptions> = {}) {
  const fixture = await startFixtureIn(stateDir, {
    assemblyDir: withQueues(),
    simulators: { delayMs: 10 },
    partners: rememberPartners(stateDir),
    seed: seedPartners,
    ...options,
  });
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
  const { partner, wallet, other } = JSON.parse(readFileSync(join(stateDir, 'endpoints.json'), 'utf8'));
  expect(endpoints).toMatchObject({ partner, wallet, other });
  expect(await endpointRow('bars')).toEqual({ url: `${partner.url}/callback`, status: 'enabled' });
  expect(await endpointRow('bakery')).toEqual({ url: `${other.partner.url}/callback`, status: 'enabled' });
  for (const { webhookSecret } of [partner, other.partner])
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(partner.webhookSecret).not.toBe(other.partner.webhookSecret);
  const responses = [`${partner.url}/received`, `${other.partner.url}/received`, `${wallet.url}/devices`];
  for (const url of responses) expect((await fetch(url)).status, url).toBe(200);
});

test('a restart keeps the secrets, and a fresh start makes new ones', async () => {
  const stateDir = temporaryFolder();
  const secretsAfter = async (options: { fresh: boolean }) => {
    const service = await startLocalService({
      ...options,
      stateDir,
      assemblyDir: withQueues(),
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

test('without simulators nothing is called back, until they are there again', async () => {
  const stateDir = temporaryFolder();
  await (await startIn(stateDir)).service.stop();
  const without = await startIn(stateDir, { simulators: false });
  expect(without.endpoints).not.toHaveProperty('partner');
  expect(without.endpoints).not.toHaveProperty('wallet');
  expect(without.endpoints.other).not.toHaveProperty('partner');
  expect(await without.endpointRow('bars')).toMatchObject({ status: 'disabled' });
  expect(await without.endpointRow('bakery')).toMatchObject({ status: 'disabled' });
  await without.service.stop();

  const again = await startIn(stateDir);
  expect(await again.endpointRow('bars')).toEqual({
    url: `${again.endpoints.partner?.url}/callback`,
    status: 'enabled',
  });
});

test('a first start without simulators makes no endpoint', async () => {
  const { endpointRow } = await startIn(temporaryFolder(), { simulators: false });
  expect(await endpointRow('bars')).toBeUndefined();
});

test('a push that was in progress at a stop is reported after the next start', async () => {
  const stateDir = temporaryFolder();
  const messageId = '6a5d1c6e-3f0a-4a8e-9d59-1d1f3f1f2a10';
  const slow = await startIn(stateDir, { simulators: { delayMs: 40_000 } });
  const message = {
    partnerId: 'bars',
    acceptedAt: '2026-05-20T12:00:00.000Z',
    pushType: 'SERVICE',
    payload: { title: 'Hello', message: 'Your table is ready' },
    messages: [{ messageId, msisdn: 79_001_234_567 }],
  };
  await slow.send('push-outbox', JSON.stringify(message));
  await eventually('the message on a device', async () => {
    const seen = await fetch(`${slow.endpoints.wallet?.url}/devices`);
    return ((await seen.json()) as { recipients: number }).recipients === 1;
  });
  await slow.service.stop();

  const { sqs, endpoints } = await startIn(stateDir);
  const receipts = await eventually('a receipt', async () => {
    const { Messages } = await sqs<{ Messages?: { Body: string }[] }>('ReceiveMessage', {
      QueueUrl: endpoints.queues['delivery-receipts'],
    });
    return Messages?.flatMap(({ Body }) => JSON.parse(Body).receipts);
  });
  expect(receipts[0]).toMatchObject({ messageId, msisdn: 79_001_234_567, state: 'DELIVERED' });
});

test('a template without the queues of the wallet platform is refused in one sentence', async () => {
  await expect(startFixtureIn(temporaryFolder(), { simulators: {} })).rejects.toThrow(
    'The template has no queue "push-outbox" for the simulated wallet platform: start with --no-simulators.',
  );
});
