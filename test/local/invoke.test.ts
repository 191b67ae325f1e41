import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { close, listen } from '../../local/http/loopback.ts';
import { isListening } from '../../local/running-service.ts';
import { samEnvironment } from '../../local/sam-environment.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { request } from '../../ops/scenario/client.ts';
import { runNode } from '../support/run-node.ts';
import { sampleEvent } from '../support/sample-event.ts';
import { startService } from '../support/service.ts';
import { testFolder } from './fixtures/fixture-service.ts';

const model = readServiceModel(resolve('cdk.out'));

function invoke(...args: string[]) {
  return runNode(['local/invoke.ts', ...args]);
}

/** Returns options that name a folder without a service, even if one runs in the developer's .local. */
function nowhere() {
  return ['--state', testFolder()];
}

test('without a running service the function works on a table of its own, and its response, log, times and units are told', async () => {
  const { code, out } = await invoke('UpdateRecipients', '--json', ...nowhere());
  const reported = JSON.parse(out);
  expect(code).toBe(0);
  expect(reported).toMatchObject({
    function: 'UpdateRecipients',
    event: 'events/UpdateRecipients.json',
    engines: 'of its own',
    response: { statusCode: 200, body: '{"registered":2,"unregistered":1}' },
    initMs: expect.any(Number),
    durationMs: expect.any(Number),
    units: { read: 0, write: 3, calls: 1 },
  });
  expect(reported.log.map((line: string) => JSON.parse(line))).toMatchObject([
    { code: 'UpdateRecipients', outcome: 'answered', statusCode: 200 },
  ]);
});

test('with a running service the function works on its data, and so does a built function with what SAM CLI gives it', async () => {
  const stateDir = testFolder();
  const service = await startService({ stateDir });
  onTestFinished(service.stop);
  const { out } = await invoke('CreatePromotion', '--json', '--state', stateDir);
  expect(JSON.parse(out)).toMatchObject({ engines: 'of the running service', response: { statusCode: 200 } });
  expect(await request(service.partner, 'GET /promo/v1/details?promoId=1')).toMatchObject({
    status: 200,
    body: { promoId: 1, name: 'Два по цене одного' },
  });
  // SAM CLI sets these, and what is in the file that the service wrote, and nothing else.
  const fromSamCli = {
    ...{ AWS_SAM_LOCAL: 'true', AWS_REGION: 'eu-central-1' },
    ...{ AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
  };
  const written = join(stateDir, 'sam-env.json');
  const file = JSON.parse(readFileSync(written, 'utf8').replaceAll('host.docker.internal', '127.0.0.1'));
  const startSync = model.functions.find(({ logicalId }) => logicalId === 'StartSync');
  const module = pathToFileURL(join(startSync?.codeFolder ?? '', 'index.mjs')).href;
  const program = `
    const { handler } = await import('${module}');
    const context = { awsRequestId: 'one', getRemainingTimeInMillis: () => 29_000 };
    const response = await handler(${JSON.stringify(sampleEvent('StartSync'))}, context);
    process.stdout.write('\\n' + response.statusCode);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...fromSamCli, ...file.StartSync },
  });
  expect(stdout.toString().split('\n').at(-1)).toBe('200');
});

test('a port where something listens and never responds has no service', async () => {
  const silent = createServer();
  const endpoint = `http://127.0.0.1:${await listen(silent, 0)}`;
  expect(await isListening(endpoint)).toBe(false);
  await close(silent);
});

test('a body instead of an event of the HTTP API is refused, with the file to begin with', async () => {
  const file = join(testFolder(), 'b.json');
  writeFileSync(file, '{"registered":[79001234567]}');
  expect(await invoke('UpdateRecipients', file)).toMatchObject({
    code: 2,
    err: `${file} is no event of the HTTP API: copy events/UpdateRecipients.json and change its body.\n`,
  });
});

test('every function has exactly the variables that its template declares: SAM CLI drops all others', () => {
  const engines = { dynamodb: 'http://127.0.0.1:8000', sqs: 'http://127.0.0.1:9324' };
  const environment = samEnvironment(model.functions, engines, {});
  for (const { logicalId, environment: declared } of model.functions) {
    const values = environment[logicalId] ?? {};
    expect(Object.keys(values).sort()).toEqual(Object.keys(declared).sort());
    for (const [name, value] of Object.entries(values))
      expect(value, `${logicalId} ${name}`).not.toMatch(/^$|127\.0\.0\.1|invalid/);
  }
});
