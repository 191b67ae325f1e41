// A partner's endpoint: reads every request, responds 200, and counts the signed ones.
import { createServer } from 'node:http';
import { listen } from '../../local/http/loopback.ts';

let signed = 0;
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.headers['webhook-signature']) signed += 1;
  const headers = { 'content-type': 'application/json' };
  request.resume().on('end', () => response.writeHead(200, headers).end('[]'));
});
process.send?.({ done: { baseUrl: `http://127.0.0.1:${await listen(server, 0)}` } });
process.on('message', () => process.send?.({ done: signed }));
process.on('disconnect', () => process.exit());
