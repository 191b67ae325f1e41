import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const toleranceSeconds = 5 * 60;

/** Whether a callback is genuine. Header names are in lower case, `body` is the raw text, `now` is in seconds. */
export const isGenuine = ({ headers, body, secret, now = Math.floor(Date.now() / 1000) }) => {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (id === '' || !/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new Error('the secret is empty');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

// Try it: {"headers": ..., "body": ..., "secret": ..., "now": ...} on standard input; exit code 0 or 1.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = isGenuine(JSON.parse(readFileSync(0, 'utf8'))) ? 0 : 1;
}
