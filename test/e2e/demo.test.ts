import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { request } from '../../ops/scenario/client.ts';
import { runNode } from '../support/run-node.ts';
import { fast, realTime, sharedService } from '../support/shared-service.ts';

/** Runs the demo on a service with these endpoints. */
function runDemo(endpoints: object) {
  const { path, remove } = temporaryFolder('demo-state');
  onTestFinished(remove);
  writeFileSync(join(path, 'endpoints.json'), JSON.stringify(endpoints));
  return runNode(['ops/demo.ts', '--state', path]);
}

test('the demo passes every step on a running service', async () => {
  const service = await sharedService(fast);
  onTestFinished(service.stop);
  const { code, out, err } = await runDemo(service.endpoints);
  expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('all passed') });
});

test('a demo that Ctrl-C ends while the endpoint is its own sets it back', async () => {
  const service = await sharedService(fast);
  onTestFinished(service.stop);
  const { path, remove } = temporaryFolder('demo-state');
  onTestFinished(remove);
  writeFileSync(join(path, 'endpoints.json'), JSON.stringify(service.endpoints));
  const endpoint = async () => {
    const { body } = await request(service.partner, 'GET /callbacks/endpoint');
    const { url, status, basicLogin } = body as Record<string, unknown>;
    return { url, status, basicLogin };
  };
  const before = await endpoint();
  const child = spawn(process.execPath, ['ops/demo.ts', '--state', path]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const end = once(child, 'close');
  child.stdout.on('data', (text) => {
    // The receiver is set, and the endpoint next.
    if (String(text).includes('answers {"status":200}')) void waitUntilSet().then(() => child.kill('SIGINT'));
  });
  const waitUntilSet = () => vi.waitFor(async () => expect(await endpoint()).not.toEqual(before), 5_000);
  expect(await end).toEqual([130, null]);
  expect(await endpoint()).toEqual(before);
});

test('on a service from which the demo would get no callbacks, it says why before it changes anything', async () => {
  const service = await sharedService(realTime);
  onTestFinished(service.stop);
  const { partner, ...withoutSimulators } = service.endpoints;
  await request(service.partner, 'PUT /callbacks/endpoint', { url: 'http://127.0.0.1:1024/', basic: null });

  const refusalOn = async (endpoints: object) => {
    const { code, err } = await runDemo(endpoints);
    return [code, err];
  };
  const advice = 'This runs the demo on a service of its own: npm run demo -- --state none';
  const setElsewhere = `The callback endpoint of ${service.endpoints.login} is http://127.0.0.1:1024/ (ENABLED), not the simulated partner`;
  expect(await refusalOn(withoutSimulators)).toEqual([
    1,
    `The running service has no simulators. ${advice}\n`,
  ]);
  expect(await refusalOn({ ...withoutSimulators, partner })).toEqual([1, `${setElsewhere}. ${advice}\n`]);
  expect(await request(service.partner, 'GET /places')).toMatchObject({ body: { places: [] } });
});
