import { createServer } from 'node:http';
import { isGenuine } from './verify-callback.mjs';

// Takes genuine callbacks on port 8080 and refuses all others. Environment: WEBHOOK_SECRET. Node 20 or newer.
const { WEBHOOK_SECRET: secret } = process.env;
if (!secret) fail('The environment must hold WEBHOOK_SECRET.', 2);

function fail(sentence, exitCode = 1) {
  console.error(sentence);
  process.exit(exitCode);
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const genuine = isGenuine({ headers: request.headers, body, secret });
  console.log(genuine ? 'verified' : 'forged', body);
  response.writeHead(genuine ? 200 : 401).end();
});
server.on('error', ({ code, message }) =>
  fail(code === 'EADDRINUSE' ? 'Port 8080 is taken: stop what listens there.' : message),
);
server.listen(8080, 'localhost');
