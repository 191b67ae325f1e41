import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { request } from '../../ops/scenario/client.ts';
import { runNode, runProgram } from '../support/run-node.ts';
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

function testInCi(changes: Record<string, string> = {}) {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  return runProgram('sh', ['callbacks-in-ci.sh'], {
    cwd: folder.path,
    env: { ...environment, PATH, ...changes },
  });
}

test('rule 58: the test in CI sends, and ends when both callbacks were verified', async () => {
  const { out, ...ended } = await testInCi();
  expect(ended).toEqual({ code: 0, err: '' });
  expect(out.match(/^verified .*"state":"(?:DELIVERED|OPENED)"/gm)).toHaveLength(2);
  expect(out).toContain('All 2 callbacks were taken.');
});

test('a receiver that takes too few callbacks in time, or a wrong key, ends with a sentence', async () => {
  const options = ['--to', 'http://localhost:1/callbacks', '--expect', '2', '--within', '1'];
  expect(await listen(...options)).toMatchObject({
    code: 1,
    err: '0 of 2 callbacks were taken within 1 s. Was the message sent with "deliveryStatusNotifications": true, to a registered number?\n',
  });
  const program = [join(folder.path, 'listen.mjs'), ...options];
  expect(await runNode(program, { ...environment, SECRET: 'wrong' })).toMatchObject({
    code: 1,
    err: 'GET /callbacks/endpoint: 403 Forbidden\n',
  });
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
