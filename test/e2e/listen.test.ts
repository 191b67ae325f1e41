import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { request } from '../../ops/scenario/client.ts';
import { runNode } from '../support/run-node.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

const files = ['listen.mjs', 'verify-callback.mjs', 'receiver.mjs', 'callbacks-in-ci.sh'];
const folder = temporaryFolder('listen');

let service: RunningTests;
let environment: Record<string, string>;
beforeAll(async () => {
  service = await sharedService(fast);
  for (const file of files) copyFileSync(`docs/snippets/${file}`, join(folder.path, file));
  const { login, secret } = service.endpoints;
  await request(service.partner, 'PUT /callbacks/endpoint', { mode: 'feed' });
  environment = {
    BASE_URL: service.endpoints.baseUrl,
    LOGIN: login,
    SECRET: secret,
    WEBHOOK_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  };
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

function listen(...options: string[]) {
  return runNode([join(folder.path, 'listen.mjs'), ...options], environment);
}

test.each(files)('the guide links to %s', (file) => {
  expect(readFileSync('docs/partner-guide.md', 'utf8')).toContain(`(snippets/${file})`);
});

test('rule 58: the test in CI sends, and ends when both callbacks were verified', async () => {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const child = spawn('sh', ['callbacks-in-ci.sh'], { cwd: folder.path, env: { ...environment, PATH } });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.match(/^verified .*"state":"(?:DELIVERED|OPENED)"/gm)).toHaveLength(2);
  expect(out).toContain('All 2 callbacks were taken.');
});

test.each([
  [
    ['--to', 'http://localhost:1/callbacks', '--expect', '2', '--within', '1'],
    1,
    '0 of 2 callbacks were taken within 1 s. Was the message sent with "deliveryStatusNotifications": true, to a registered number?\n',
  ],
  [['--expect', '2'], 2, '--to takes the address of your receiver, like http://localhost:8080/callbacks.\n'],
  [
    ['--to', 'localhost:8080/callbacks'],
    2,
    '--to takes the address of your receiver, like http://localhost:8080/callbacks.\n',
  ],
  [['--to', 'http://localhost:1/', '--expect', 'two'], 2, '--expect takes a whole number from 1 on.\n'],
])('%j ends with a sentence', async (options, code, sentence) => {
  const { code: ended, err } = await listen(...options);
  expect({ ended, err }).toEqual({ ended: code, err: sentence });
});

test('an environment without a key, or with a wrong one, ends with a sentence', async () => {
  const options = ['--to', 'http://localhost:1/callbacks'];
  const program = [join(folder.path, 'listen.mjs'), ...options];
  const { SECRET: _none, ...others } = environment;
  expect(await runNode(program, others)).toMatchObject({
    code: 2,
    err: 'The environment must hold SECRET.\n',
  });
  expect(await runNode(program, { ...environment, LOGIN: 'bars:secret' })).toMatchObject({
    code: 2,
    err: 'LOGIN holds the login alone, and SECRET the secret.\n',
  });
  expect(await runNode(program, { ...environment, BASE_URL: '127.0.0.1:3000' })).toMatchObject({
    code: 2,
    err: 'BASE_URL begins with https://, on a laptop with http://.\n',
  });
  const wrong = await runNode(program, { ...environment, SECRET: 'wrong' });
  expect(wrong.code).toBe(1);
  expect(wrong.err).toBe('GET /callbacks/endpoint: 403 Forbidden\n');
});

test('where nothing comes into the feed, it says what to do', async () => {
  const { partner } = service.endpoints;
  await request(service.partner, 'PUT /callbacks/endpoint', {
    mode: 'post',
    log: 'failures',
    ...(partner?.basic ? { basic: partner.basic } : {}),
  });
  const { code, err } = await listen('--to', 'http://localhost:1/callbacks');
  expect({ code, err }).toEqual({
    code: 1,
    err: 'Nothing comes into the feed: PUT /callbacks/endpoint with {"mode": "feed"}, or {"log": "all"} to see what is posted.\n',
  });
});
