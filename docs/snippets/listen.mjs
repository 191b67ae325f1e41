import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/*
 * Reads your feed of callbacks and posts each, signed, to a receiver on this machine. Node 20 or newer, no dependencies.
 *
 *   node listen.mjs --to http://localhost:8080/callbacks [--expect 2 --within 60] [--message <messageId>]
 *
 * Environment: BASE_URL, LOGIN and SECRET of a key (full or observer), and WEBHOOK_SECRET, which signs: the one that your
 * receiver verifies with. It begins with what is written now; with --message it looks back ten minutes, and passes on that
 * message's callbacks alone. With --expect it ends: with 0 once so many different callbacks were taken (2xx), with 1 and a
 * sentence if they were not within --within seconds (60).
 */
const pollEveryMs = 2_000;
const lookBackMs = 10 * 60_000;
const mostTries = 5;

const { BASE_URL = '', LOGIN = '', SECRET = '', WEBHOOK_SECRET = '' } = process.env;
const { to, expect, within, message } = readOptions();
const taken = new Set();
const refused = new Set();

function fail(sentence, exitCode = 1) {
  console.error(sentence);
  process.exit(exitCode);
}

function readOptions() {
  const text = { type: 'string' };
  try {
    const { values } = parseArgs({ options: { to: text, expect: text, within: text, message: text } });
    if (!isAddress(values.to))
      throw new Error('--to takes the address of your receiver, like http://localhost:8080/callbacks.');
    for (const name of ['expect', 'within'])
      if (values[name] !== undefined && !/^[1-9]\d*$/.test(values[name]))
        throw new Error(`--${name} takes a whole number from 1 on.`);
    const missing = Object.entries({ BASE_URL, LOGIN, SECRET, WEBHOOK_SECRET }).filter(([, value]) => !value);
    if (missing.length > 0)
      throw new Error(`The environment must hold ${missing.map(([name]) => name).join(', ')}.`);
    if (!isAddress(BASE_URL)) throw new Error('BASE_URL begins with https://, on a laptop with http://.');
    if (LOGIN.includes(':')) throw new Error('LOGIN holds the login alone, and SECRET the secret.');
    return { ...values, within: Number(values.within ?? 60), expect: Number(values.expect ?? Infinity) };
  } catch (error) {
    return fail(error.message, 2);
  }
}

function isAddress(given) {
  return /^https?:\/\//i.test(given) && URL.canParse(given);
}

/** Asks until there is a response that says something. `now` is the time of the service. */
async function ask(path) {
  const authorization = `Basic ${Buffer.from(`${LOGIN}:${SECRET}`).toString('base64')}`;
  for (;;) {
    const response = await fetch(BASE_URL.replace(/\/$/, '') + path, { headers: { authorization } }).catch(
      () => {},
    );
    if (response?.ok) return { ...(await response.json()), now: Date.parse(response.headers.get('date')) };
    const { errors, message: reason } = (await response?.json().catch(() => {})) ?? {};
    const problem = response ? `${response.status} ${errors?.join(', ') ?? reason ?? ''}` : 'no response';
    if (response && response.status < 500 && response.status !== 429) fail(`GET ${path}: ${problem}`);
    console.error(`GET ${path}: ${problem}; asking again`);
    await wait(1_000 * Number(response?.headers.get('retry-after') ?? 2));
  }
}

/** The headers of Standard Webhooks, as the service makes them. */
function signedHeaders(id, body) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest}`,
  };
}

/** Posts a callback, and again while nobody listens there or the receiver fails. */
async function post({ webhookId, body }) {
  for (let tries = 1; ; tries++) {
    const request = { method: 'POST', headers: signedHeaders(webhookId, body), body, redirect: 'manual' };
    const status = await fetch(to, request).then(
      (response) => response.status,
      () => 'no response',
    );
    console.log(`${webhookId}: ${status}`);
    if (status >= 200 && status < 300) return void taken.add(webhookId);
    if (tries === mostTries || status < 500) return void refused.add(`${webhookId}: ${status}`);
    await wait(1_000);
  }
}

function failLate() {
  const came = `${taken.size} of ${expect} callbacks were taken within ${within} s`;
  const others = [...refused].map((one) => `, refused was ${one}`).join('');
  const advice = 'Was the message sent with "deliveryStatusNotifications": true, to a registered number?';
  fail(`${came}${others}. ${refused.size > 0 ? 'Look at your receiver.' : advice}`);
}

if (expect < Infinity) setTimeout(failLate, 1_000 * within);
const endpoint = await ask('/callbacks/endpoint');
if (endpoint.status === 'DISABLED')
  fail(`Your callbacks are disabled (${endpoint.reason}): POST /callbacks/endpoint/enable`);
if (endpoint.mode === 'post' && endpoint.log !== 'all')
  fail(
    'Nothing comes into the feed: PUT /callbacks/endpoint with {"mode": "feed"}, or {"log": "all"} to see what is posted.',
  );
const since = endpoint.now - (message ? lookBackMs : 0);
let from = `since=${new Date(since).toISOString()}`;
console.log(`Listening, for ${to}`);
for (;;) {
  const { callbacks, cursor, more } = await ask(`/callbacks/feed?${from}`);
  from = `cursor=${cursor}`;
  for (const callback of callbacks) {
    if (message && JSON.parse(callback.body).messageId !== message) continue;
    await post(callback);
    if (taken.size < expect) continue;
    console.log(`All ${expect} callbacks were taken.`);
    process.exit(0);
  }
  if (!more) await wait(pollEveryMs);
}
