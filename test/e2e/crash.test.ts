import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { callersOf } from '../../ops/scenario/actors.ts';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { testFolder } from '../local/fixtures/fixture-service.ts';
import { finishedSession } from '../support/service.ts';

async function start(stateDir: string) {
  const file = `${stateDir}/endpoints.json`;
  rmSync(file, { force: true });
  const options = ['--port', '0', '--wallet-delay', '0', '--state', stateDir];
  const child = spawn(process.execPath, ['local/start.ts', ...options], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await eventually(file, () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}\n'));
  /** The queue engine is part of the process; the table engine has its own process group. */
  const crash = async () => {
    const exited = once(child, 'exit');
    spawnSync('bash', ['-c', `kill -9 ${child.pid} $(pgrep -P ${child.pid} | sed s/^/-/)`]);
    await exited;
  };
  return { crash, ...callersOf(JSON.parse(readFileSync(file, 'utf8'))) };
}

test('what was answered 200 takes effect, though the service is killed with its engines right after it', async () => {
  const folder = testFolder();
  const { wallet, partner, crash } = await start(folder);
  const msisdn = Array.from({ length: 20 }, (_, n) => 79_100_000_000 + n);
  await request(wallet, 'PUT /wallet/recipients', { registered: msisdn });
  const places = Array.from({ length: 1_200 }, (_, n) => ({ itemId: `p${n}`, placeInfo: { address: 'A' } }));
  const message = { pushType: 'SERVICE', payload: { title: 'Crash', message: 'Crash' }, msisdn };
  const list = await request(partner, 'POST /places/sync', { places });
  const { body } = await request(partner, 'POST /push/bulk/single', message);
  await crash();
  const again = (await start(folder)).partner;
  expect((await finishedSession(again, list)).counts).toMatchObject({ added: 1_200 });
  const [{ messageId }] = body as [{ messageId: string }];
  const report = async () => (await request(again, `GET /push/${messageId}/report`)).body;
  await expect.poll(report, { timeout: 30_000 }).toMatchObject({ recipients: 20, opened: 20 });
});
