import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../local/log.ts';
import { startLocalService } from '../../local/service.ts';
import { editedAssembly, startFixture, startFixtureIn, testFolder } from './fixtures/fixture-service.ts';

test('a restart finds secrets, rows and messages again, and a fresh start does not', async () => {
  // Without this source, no function receives from the queue.
  const assemblyDir = editedAssembly((resources) => {
    delete resources.PlainSource;
  });
  const stateDir = testFolder();
  /** Says what a start finds that the one before has left, and leaves a row and a message. */
  const restart = async (fresh = false) => {
    const { service, ...call } = await startFixtureIn(stateDir, { assemblyDir, fresh, simulators: true });
    const { tableName: TableName, queues, partner, other, secret } = service.endpoints;
    const key = { pk: { S: 'kept' }, sk: { S: '-' } };
    const { Item } = await call.dynamodb('GetItem', { TableName, Key: key });
    const { Messages } = await call.sqs('ReceiveMessage', {
      QueueUrl: queues['plain'],
      VisibilityTimeout: 0,
    });
    await call.dynamodb('PutItem', { TableName, Item: key });
    await call.send('plain', 'kept');
    await service.stop();
    const secrets = [secret, partner?.webhookSecret, other.secret, other.partner?.webhookSecret];
    return { row: Item !== undefined, message: Messages !== undefined, secrets };
  };
  const { secrets, ...first } = await restart();
  expect([first, new Set(secrets).size]).toEqual([{ row: false, message: false }, 4]);
  expect(await restart()).toEqual({ row: true, message: true, secrets });
  const fresh = await restart(true);
  expect(fresh).toMatchObject({ row: false, message: false });
  expect(fresh.secrets.filter((one) => secrets.includes(one))).toEqual([]);
});

test('a build in another terminal, which deletes the assembly, takes no code away from a service that runs', async () => {
  const assemblyDir = editedAssembly(() => undefined);
  // The code of the console's function has folders.
  const nested = join('code', 'files', 'assets', 'a.js');
  mkdirSync(join(assemblyDir, dirname(nested)), { recursive: true });
  writeFileSync(join(assemblyDir, nested), 'a');
  const { service, stateDir } = await startFixture({ assemblyDir });
  rmSync(assemblyDir, { recursive: true });
  expect(await service.invoke('Inspect', {})).toMatchObject({ context: { functionName: 'Inspect' } });
  expect(readFileSync(join(stateDir, 'code', nested), 'utf8')).toBe('a');
});

test('a service without a folder for its state has a temporary one, and leaves nothing there when it stops', async () => {
  const folder = testFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const assemblyDir = editedAssembly(() => undefined);
  const before = readdirSync(folder);
  const { stop } = await startLocalService({ assemblyDir, log: silentLog, simulators: false });
  expect(readdirSync(folder)).toHaveLength(before.length + 1);
  await stop();
  expect(readdirSync(folder)).toEqual(before);
});
