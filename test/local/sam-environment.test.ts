import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { samEnvironment } from '../../local/sam-environment.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { sampleEvent } from '../support/sample-event.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from './fixtures/fixture-service.ts';

const model = readServiceModel(resolve('cdk.out'));

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

/** The variables that SAM CLI itself sets with the credentials of docs/invoking.md. */
const fromSamCli = {
  AWS_SAM_LOCAL: 'true',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

test('with no more than the file that the service wrote and what SAM CLI sets, a built function works on the running service', async () => {
  const stateDir = temporaryFolder();
  const service = await startService({ stateDir });
  onTestFinished(service.stop);
  const written = join(stateDir, 'sam-env.json');
  const file = JSON.parse(readFileSync(written, 'utf8').replaceAll('host.docker.internal', '127.0.0.1'));
  const [startSync] = model.functions.filter(({ logicalId }) => logicalId === 'StartSync');
  const module = pathToFileURL(join(startSync?.codeFolder ?? '', 'index.mjs')).href;
  const program = `
    const { handler } = await import('${module}');
    const context = { awsRequestId: 'one', getRemainingTimeInMillis: () => 29_000 };
    const answer = await handler(${JSON.stringify(sampleEvent('StartSync'))}, context);
    process.stdout.write('\\n' + answer.statusCode);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...fromSamCli, ...file.StartSync },
  });
  expect(stdout.toString().split('\n').at(-1)).toBe('200');
  await service.stop();
  expect(existsSync(written)).toBe(false);
});
