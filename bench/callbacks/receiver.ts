// The process that stands for partners: it takes whatever is posted, answers 200, and counts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let signed = 0;
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.headers['webhook-signature']) signed += 1;
  request.resume().on('end', () => response.writeHead(200).end());
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', (said) => (said === 'stop' ? process.exit() : process.send?.({ signed })));
process.on('disconnect', () => process.exit());
