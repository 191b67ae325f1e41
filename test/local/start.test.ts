import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { testFolder } from './fixtures/fixture-service.ts';

/** The shortcuts of the README. They expect the state folder `.local`. */
const [, shortcuts] = /two shortcuts:\n\n```sh\n(.+?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];

test('npm start shows what a newcomer needs, and a signal ends it and its engines at once', async () => {
  const cwd = testFolder();
  const stateDir = join(cwd, '.local');
  const child = spawn(process.execPath, ['local/start.ts', '--port', '0', '--state', stateDir]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await eventually('the service to be ready', () => out.includes('Ctrl-C stops everything'));
  const file = join(stateDir, 'endpoints.json');
  const endpoints: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  const { baseUrl = '', login = '', secret = '', dynamodb = '' } = endpoints;
  const demo = `npm run demo -- --state ${stateDir} `;
  for (const needed of [baseUrl, login, secret, '/places/sync', '/checkins', demo])
    expect(out).toContain(needed);
  const requests = `
    partner "$BASE/partner/api/place/bar-1/checkins"
    wallet -X PUT "$BASE/wallet/recipients" -d '{"registered": [79001234567]}'`;
  const { stdout } = spawnSync('bash', ['-c', `${shortcuts}${requests}`], { cwd });
  expect(stdout.toString().split('\n')).toEqual([
    expect.stringContaining('bar-1 is not a service point of this offer"]}'),
    '{"registered":1,"unregistered":0}',
    '',
  ]);
  const startedAt = performance.now();
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  // This takes half a second on an idle machine. Waiting for the pollers would take 20 s.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(existsSync(file)).toBe(false);
  await expect(fetch(dynamodb)).rejects.toThrow();
});
