import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Endpoints } from '../../local/endpoints.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

/** Starts the service as `npm start` does. `up` resolves when the service is ready, also after a crash. */
export function killableService() {
  const folder = temporaryFolder('crash');
  const file = join(folder.path, 'endpoints.json');
  let child: ChildProcess | undefined;
  const start = async (): Promise<Endpoints> => {
    rmSync(file, { force: true });
    const options = `--port 0 --state ${folder.path} --retry-speed 200 --wallet-delay 0`.split(' ');
    child = spawn(process.execPath, ['local/start.ts', ...options], { stdio: 'ignore' });
    await eventually(file, () => existsSync(file));
    const written = async () => readFileSync(file, 'utf8');
    return JSON.parse(await eventually('the whole file', written, { until: (text) => text.endsWith('}\n') }));
  };
  /** Kills (`kill -9`) the service with its queue engine, and the table engine, which has its own process group. */
  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode) return;
    const exited = once(child, 'exit');
    const groups = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout;
    for (const group of groups.split('\n').filter(Boolean)) process.kill(-Number(group), 'SIGKILL');
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(async () => {
    // A test that fails may leave behind a start that is still in progress.
    await service.up.catch(() => undefined);
    await kill();
    folder.remove();
  });
  const crash = (): void => {
    service.up = service.up.then(kill).then(start);
  };
  const service = { up: start(), crash };
  return service;
}
