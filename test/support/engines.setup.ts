import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { startFauxqs } from 'fauxqs';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
    sqsEndpoint: string;
  }
}

/** One table engine and one queue engine for all test files; each file makes tables and queues of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await freePort();
  const binary = new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url).pathname;
  const dynoxide = spawn(binary, ['serve', '--port', String(port)], { stdio: 'ignore' });
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  await answering(port);
  project.provide('dynamodbEndpoint', `http://127.0.0.1:${port}`);
  project.provide('sqsEndpoint', fauxqs.address);
  return async () => {
    dynoxide.kill('SIGKILL');
    await fauxqs.stop();
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const answering = async (port: number): Promise<void> => {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error('Dynoxide did not answer within 10 s');
};
