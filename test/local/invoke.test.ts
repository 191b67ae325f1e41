import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { runNode } from '../support/run-node.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from './fixtures/fixture-service.ts';

function invoke(...args: string[]) {
  return runNode(['local/invoke.ts', ...args]);
}

/** Returns options that name a folder without a service, even if one runs in the developer's .local. */
function nowhere() {
  return ['--state', temporaryFolder()];
}

test('an unknown function, or an event file that cannot be read, is one sentence and exit code 2', async () => {
  const { code, err } = await invoke('StartSink');
  expect(code).toBe(2);
  expect(err).toContain('There is no function "StartSink": choose one of AdvanceSends, AuthorizePartner, ');
  expect(await invoke('GetSync', 'no-such.json')).toEqual({
    code: 2,
    out: '',
    err: "The event file no-such.json cannot be read, or is not JSON: ENOENT: no such file or directory, open 'no-such.json'.\n",
  });
});

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

test('a function that throws is reported with its error, and exit code 1', async () => {
  const file = join(temporaryFolder(), 'event.json');
  writeFileSync(file, '{}');
  const { code, out } = await invoke('ProcessSync', file, ...nowhere());
  expect(code).toBe(1);
  expect(out).toContain('TypeError');
});

test('with a running service the function works on its data', async () => {
  const stateDir = temporaryFolder();
  const service = await startService({ stateDir });
  onTestFinished(service.stop);
  const { out } = await invoke('CreatePromotion', '--json', '--state', stateDir);
  expect(JSON.parse(out)).toMatchObject({ engines: 'of the running service', response: { statusCode: 200 } });
  expect(await request(service.partner, 'GET /promo/v1/details?promoId=1')).toMatchObject({
    status: 200,
    body: { promoId: 1, name: 'Два по цене одного' },
  });
});
