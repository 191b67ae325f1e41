import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

const program = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n'));
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => parentPort.postMessage(server.address().port));
  parentPort.once('message', (ms) => {
    parentPort.postMessage('full');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  });
`;

/**
 * Starts a server whose queue of connections is full for 0.9 s: the system drops the next SYN, and the client sends it
 * again after 1 s, and after 3 s. So the handshake of the next connection takes a second.
 */
export async function serverWithSlowHandshake(fullForMs = 900): Promise<number> {
  const worker = new Worker(program, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const next = () => new Promise<unknown>((resolve) => worker.once('message', resolve));
  const port = Number(await next());
  const full = next();
  worker.postMessage(fullForMs);
  await full;
  for (let fillers = 0; fillers < 2; fillers++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise((connected) => socket.once('connect', connected));
  }
  return port;
}
