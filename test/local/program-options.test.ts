import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runNode } from '../support/run-node.ts';
import { temporaryFolder } from './fixtures/fixture-service.ts';

/** Creates a state folder with a service that refuses and records every request. */
async function refusingService(partner: object) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(403).end('{}');
  });
  onTestFinished(() => {
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = temporaryFolder();
  const endpoints = { baseUrl, retrySpeed: 1, ...partner, other: partner };
  writeFileSync(join(state, 'endpoints.json'), JSON.stringify(endpoints));
  return { state, requests };
}

test('the demo uses the service of the folder that --state names', async () => {
  const partner = { login: 'bars', secret: 'x', offerId: 'bars-of-moscow' };
  const { state, requests } = await refusingService(partner);
  const { code, out } = await runNode(['ops/demo.ts', '--state', state]);
  expect(code).toBe(1);
  expect(out).not.toContain('starts one of its own');
  expect(requests).toContain('POST /places/sync');
});

test('the demo sends nothing with a secret that has ended, and says why', async () => {
  const { state, requests } = await refusingService({
    login: 'bars',
    secret: '',
    offerId: 'bars-of-moscow',
    whyNoSecret: 'The key bars was deleted.',
  });
  const run = await runNode(['ops/demo.ts', '--state', state]);
  expect(run).toEqual({ code: 1, out: '', err: 'The key bars was deleted.\n' });
  // This request only checks that the service runs.
  expect(requests).toEqual(['GET /']);
});
