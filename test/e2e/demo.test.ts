import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { request } from '../../ops/scenario/client.ts';
import { runNode } from '../support/run-node.ts';
import { startService } from '../support/service.ts';

test('on a service from which the demo would get no callbacks, it says why before it changes anything', async () => {
  const service = await startService({ simulators: false });
  onTestFinished(service.stop);
  await request(service.partner, 'PUT /callbacks/endpoint', { url: 'http://127.0.0.1:1024/', basic: null });
  const { path, remove } = temporaryFolder('with-simulators');
  onTestFinished(remove);
  const endpoints = JSON.parse(readFileSync(join(service.stateDir, 'endpoints.json'), 'utf8'));
  const withSimulators = { ...endpoints, partner: { url: 'http://127.0.0.1:1025' } };
  writeFileSync(join(path, 'endpoints.json'), JSON.stringify(withSimulators));

  const advice = 'This runs the demo on a service of its own: npm run demo -- --state none';
  const refusalOn = async (folder: string) => {
    const { code, err } = await runNode(['ops/demo.ts', '--state', folder]);
    return [code, err];
  };
  const setElsewhere = `The callback endpoint of bars is http://127.0.0.1:1024/ (ENABLED), not the simulated partner`;
  expect(await refusalOn(service.stateDir)).toEqual([
    1,
    `The running service has no simulators. ${advice}\n`,
  ]);
  expect(await refusalOn(path)).toEqual([1, `${setElsewhere}. ${advice}\n`]);
  expect(await request(service.partner, 'GET /places')).toMatchObject({ body: { places: [] } });
});
