// What a server costs that has nothing to do: it reads the request and answers a constant.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const server = createServer(async (request, response) => {
  await buffer(request);
  response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit());
