import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCommand } from '../../local/start-command.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { temporaryFolder } from './fixtures/fixture-service.ts';

function optionsOf(...args: string[]) {
  return startCommand().parse(args, { from: 'user' }).opts();
}

test('without options it listens on port 3000 and keeps its state in .local', () => {
  expect(optionsOf()).toEqual({
    port: 3000,
    state: '.local',
    retrySpeed: 1,
    walletDelayMs: 1_000,
    simulators: true,
  });
});

test('simulators can be left out, or slowed down', () => {
  expect(optionsOf('--no-simulators')).toMatchObject({ simulators: false });
  expect(optionsOf('--wallet-delay-ms', '2000')).toMatchObject({ simulators: true, walletDelayMs: 2_000 });
});

/** Starts the real service, as `npm start` does, and waits until it is ready. */
async function startForReal() {
  const stateDir = temporaryFolder();
  const child = spawn(process.execPath, ['local/start.ts', '--port', '0', '--state', stateDir]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const file = join(stateDir, 'endpoints.json');
  await eventually('the service to be ready', () => out.includes('Ctrl-C stops everything'));
  const endpoints: { baseUrl: string; login: string; secret: string; dynamodb: string } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return { child, endpoints, stateDir, file, out: () => out };
}

function ended(child: ReturnType<typeof spawn>) {
  return new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
}

test('npm start shows what a newcomer needs, and a signal ends it at once', async () => {
  const { child, endpoints, stateDir, file, out } = await startForReal();
  for (const needed of [endpoints.baseUrl, endpoints.login, endpoints.secret, '/places/sync', '/checkins']) {
    expect(out()).toContain(needed);
  }
  expect(out()).toContain(`npm run demo -- --state ${stateDir} `);
  const curl = (path: string) =>
    spawnSync('curl', ['-K', join(stateDir, 'curl.conf'), endpoints.baseUrl + path]);
  const points = '/partner/api/place/bar-1/checkins';
  expect(curl(points).stdout.toString()).toContain('bar-1 is not a service point of this offer"]}\n');
  const startedAt = performance.now();
  child.kill('SIGINT');
  expect(await ended(child)).toBe(0);
  // This takes half a second on an idle machine. Waiting for the pollers would take 20 s.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(existsSync(file)).toBe(false);
});

test('the engines end with the service even when it is killed', async () => {
  const { child, endpoints } = await startForReal();
  child.kill('SIGKILL');
  await ended(child);
  const isGone = () =>
    fetch(endpoints.dynamodb).then(
      () => false,
      () => true,
    );
  await eventually('the end of the engine', isGone);
});
