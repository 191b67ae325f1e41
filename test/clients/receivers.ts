import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PostedEndpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { examine } from '../../shared/callbacks/examination/examine.ts';
import type { Judged } from '../../shared/callbacks/examination/judge.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { systemClock } from '../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import { run, type Step, start } from './steps.ts';

const usage = `Examines, as POST /callbacks/examine does, plain servers of other languages that verify with the snippets of the partner
guide or with the libraries of Standard Webhooks. All checks must pass. Those for Node are among the integration tests.

  node test/clients/receivers.ts [receiver ...]     all of them, or those named

  python-snippet, python-library   Python 3.11 with pip
  go-snippet, go-library           Go 1.26
  java-snippet, java-library       Java 17 and Maven
  php-snippet                      PHP 8.2 with its command line
`;

const servers = fileURLToPath(new URL('receivers', import.meta.url));
const snippets = fileURLToPath(new URL('../../docs/snippets', import.meta.url));

type Receiver = {
  /** Commands that install and compile it. */
  steps?: Step[];
  serve: (port: number) => Step;
};

const goLibrary = 'github.com/standard-webhooks/standard-webhooks/libraries/go@v0.0.1';
const javaLibrary = 'com.standardwebhooks:standardwebhooks:1.1.0';

const go: Step[] = [
  ['cp', `${servers}/server.go`, '.'],
  // A program has one main: the server's.
  ['sh', '-c', `sed 's/^func main()/func commandLine()/' ${snippets}/verify-callback.go > snippet.go`],
  ['go', 'mod', 'init', 'receiver'],
  ['go', 'get', goLibrary],
  ['go', 'build', '-o', '{out}/server', '.'],
];
const java: Step[] = [
  ['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${javaLibrary}`, '-DoutputDirectory={out}'],
  ['sh', '-c', `javac -cp '*' -d . ${servers}/Server.java ${snippets}/VerifyCallback.java`],
];
const javaServer: Step = ['java', '-XX:TieredStopAtLevel=1', '-cp', '.:*', 'Server'];
const pythonServer: Step = ['python3', `${servers}/server.py`];

const receivers: Record<string, Receiver> = {
  'python-snippet': { serve: (port) => [...pythonServer, `${port}`, `${snippets}/verify-callback.py`] },
  'python-library': {
    steps: [['pip', 'install', '-q', '--target', '{out}', 'standardwebhooks==1.1.0']],
    serve: (port) => ['env', 'PYTHONPATH={out}', ...pythonServer, `${port}`],
  },
  'go-snippet': { steps: go, serve: (port) => ['./server', `${port}`, 'snippet'] },
  'go-library': { steps: go, serve: (port) => ['./server', `${port}`] },
  'java-snippet': { steps: java, serve: (port) => [...javaServer, `${port}`, 'snippet'] },
  'java-library': { steps: java, serve: (port) => [...javaServer, `${port}`] },
  'php-snippet': {
    serve: (port) => {
      const server: Step = ['php', '-S', `127.0.0.1:${port}`, `${servers}/server.php`];
      return ['env', `SNIPPET=${snippets}/verify-callback.php`, ...server];
    },
  },
};

const basic = { login: 'wallet', secret: 'pass:word' };
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const AUTHORIZATION = `Basic ${Buffer.from('wallet:pass:word').toString('base64')}`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function listening(port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await connects(port))) {
    if (Date.now() > deadline) throw new Error('the server does not listen');
    await setTimeout(100);
  }
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function examined({ steps = [], serve }: Receiver, out: string): Promise<Judged[]> {
  for (const step of steps) await run(step, out);
  const port = await freePort();
  const server = start(serve(port), out, { ...process.env, SECRET: secret, AUTHORIZATION });
  try {
    await listening(port);
    const endpoint = PostedEndpoint.parse({
      partnerId: 'bars',
      url: `http://127.0.0.1:${port}/callbacks`,
      basic,
      signingSecrets: [{ secret, createdAt: 1 }],
      status: 'enabled',
    });
    const sleepUntil = (atMs: number) => setTimeout(Math.max(0, atMs - Date.now()));
    const client = guardedClient('loopback-too');
    return await examine({ client, clock: systemClock, sleepUntil, ids: systemIds }, endpoint);
  } finally {
    server.kill();
  }
}

async function examineAll(names: readonly string[]): Promise<boolean> {
  const root = mkdtempSync(join(tmpdir(), 'receivers-'));
  let allPassed = true;
  for (const name of names) {
    const out = join(root, name);
    mkdirSync(out);
    const checks = await examined(receivers[name] as Receiver, out);
    const others = checks.filter(({ verdict }) => verdict !== 'PASSED');
    allPassed &&= others.length === 0;
    const statuses = checks.map(({ httpStatus }) => httpStatus).join(' ');
    console.log(`${name}: ${checks.length - others.length} of ${checks.length} checks passed (${statuses})`);
    for (const { check, verdict, meaning } of others) console.log(`  ${check} ${verdict} ${meaning}`);
  }
  rmSync(root, { recursive: true, force: true });
  return allPassed;
}

const asked = process.argv.slice(2);
if (asked.some((name) => !(name in receivers))) console.log(usage);
else process.exit((await examineAll(asked.length > 0 ? asked : Object.keys(receivers))) ? 0 : 1);
