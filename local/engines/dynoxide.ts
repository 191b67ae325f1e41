import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { failure } from '../../ops/cli/command-line.ts';
import { close, listen } from '../http/loopback.ts';
import { indexStreamRecords } from './dynoxide-repairs.ts';

export type Engine = {
  endpoint: string;
  stop(): Promise<void>;
};

const startDeadlineMs = 10_000;

/**
 * The engine must not outlive this process, even if that is killed: the shell waits for the end of the pipe between
 * them and then ends the engine. In a process group of its own the engine gets no Ctrl-C of the terminal.
 */
const guard = `
exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
(cat <&3 >/dev/null; kill $engine 2>/dev/null) &
wait $engine`;

/** npm installs the package of the engine for this system, and continues without it where there is none. */
function binary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/dynoxide`);
  } catch {
    throw failure(
      `The DynamoDB engine ${name} is not installed: run npm ci where npm has it, or set DYNAMODB_ENDPOINT to a DynamoDB Local.`,
    );
  }
}

async function launch(file: string, onUnexpectedEnd: () => void): Promise<Engine | undefined> {
  const server = createServer();
  const port = await listen(server, 0);
  await close(server);
  const command = [binary(), 'serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', file];
  const child = spawn('/bin/sh', ['-c', guard, 'engine', ...command], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let stopping = false;
  const end = once(child, 'exit');
  // When the engine ends by itself the pipe breaks. The exit event reports it.
  child.stdin.on('error', () => undefined);
  const { promise: listens, resolve } = Promise.withResolvers<true>();
  let printed = '';
  child.stderr.on('data', (chunk) => {
    if (printed.includes('listening')) return;
    printed += chunk;
    if (printed.includes('listening')) resolve(true);
  });
  const late = delay(startDeadlineMs, false, { ref: false });
  const isUp = await Promise.race([listens, end.then(() => false), late]);
  if (!isUp) {
    child.stdin.destroy();
    return undefined;
  }
  end.then(() => stopping || onUnexpectedEnd());
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      stopping = true;
      child.stdin.destroy();
      await end;
    },
  };
}

/** Starts Dynoxide with its data in `folder`. Tries again if another process takes the free port first. */
export async function startDynoxide(folder: string, onUnexpectedEnd: () => void): Promise<Engine> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'dynoxide.sqlite');
  for (let attempt = 1; attempt <= 3; attempt++) {
    const engine = await launch(file, onUnexpectedEnd);
    if (!engine) continue;
    indexStreamRecords(file);
    return engine;
  }
  throw failure(
    `The DynamoDB engine did not start with its data in ${folder}: start from scratch with --fresh.`,
  );
}
