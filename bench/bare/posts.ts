// The baseline for callbacks: POSTs over kept connections, one after the other or ten at once.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });
const { POST_URL: url = '', POST_AT_ONCE: atOnce } = process.env;

/** Posts a body and checks only the status of the response. */
function post(body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { agent, method: 'POST', headers });
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`the response was ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export async function handler({ Records }: { Records: { body: string }[] }): Promise<object> {
  const left = Records.map(({ body }) => body);
  const postWhileLeft = async () => {
    for (let body = left.shift(); body !== undefined; body = left.shift()) await post(body);
  };
  await Promise.all(Array.from({ length: atOnce ? 10 : 1 }, postWhileLeft));
  return { batchItemFailures: [] };
}
