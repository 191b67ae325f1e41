import { createServer } from 'node:http';
import { listen } from '../../../local/http/loopback.ts';

/** Listens until the process ends, and responds to everything with a failure whose text goes on for ever. */
export async function endlessServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(500, { 'content-type': 'text/plain' });
    const more = () => {
      while (!response.destroyed && response.write('😀'.repeat(4_000)));
    };
    response.on('drain', more);
    more();
  });
  server.unref();
  return `http://127.0.0.1:${await listen(server, 0)}/`;
}
