import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoints } from '../../../local/service.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import { type Connection, connect } from './connection.ts';

/** The service as `npm start` runs it, in a process of its own that can be killed at any moment. */
export interface KillableService {
  /** Starts it, or starts it again on what it left. */
  start(): Promise<Connection>;
  /** `kill -9`: engines, functions and all. */
  kill(): Promise<void>;
}

const startWithin = { timeoutSeconds: 60, intervalMs: 50 };

function isReady(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    return 'baseUrl' in JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Half written.
    return false;
  }
}

async function hasGone(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => false,
    () => true,
  );
}

export function killableService(stateDir: string, retrySpeed: number): KillableService {
  const endpointsFile = join(stateDir, 'endpoints.json');
  let child: ChildProcess | undefined;
  let connection: Connection | undefined;
  let endpoints: Endpoints | undefined;
  return {
    start: async () => {
      rmSync(endpointsFile, { force: true });
      const options = ['--port', '0', '--state', stateDir, '--retry-speed', String(retrySpeed)];
      child = spawn(process.execPath, ['local/start.ts', ...options, '--no-simulators'], { stdio: 'ignore' });
      const started = child;
      const ready = await eventually(
        async () => isReady(endpointsFile) || started.exitCode !== null,
        (done) => done,
        startWithin,
      );
      if (!ready || started.exitCode !== null) throw new Error(`the service did not start on ${stateDir}`);
      endpoints = JSON.parse(readFileSync(endpointsFile, 'utf8')) as Endpoints;
      connection = connect(endpoints);
      return connection;
    },
    kill: async () => {
      if (!child || !endpoints) return;
      const exited = once(child, 'exit');
      const table = endpoints.dynamodb;
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exited;
      }
      connection?.close();
      // A guard ends the table engine when it finds its parent gone.
      await eventually(
        () => hasGone(table),
        (gone) => gone,
        startWithin,
      );
      child = undefined;
    },
  };
}
