import { createServer } from 'node:http';
import { isGenuine } from './verify-callback.mjs';

// Takes genuine callbacks on port 8080 and refuses all others. Environment: WEBHOOK_SECRET. Node 20 or newer.
createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const genuine = isGenuine({ headers: request.headers, body, secret: process.env.WEBHOOK_SECRET });
  console.log(genuine ? 'verified' : 'forged', body);
  response.writeHead(genuine ? 200 : 401).end();
}).listen(8080, 'localhost');
