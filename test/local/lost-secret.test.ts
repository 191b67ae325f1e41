import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemDeps } from '../../ops/cli/command-line.ts';
import { runPartner } from '../../ops/partner/program.ts';
import { runCommand } from '../support/command.ts';
import { startFixtureIn, testFolder } from './fixtures/fixture-service.ts';

test('a start whose credentials were replaced or disabled names the commands that make them work again', async () => {
  const stateDir = testFolder();
  /** Runs commands while the service runs, and returns their output, and what the start said of its credentials. */
  const started = async (...commands: string[]) => {
    const { service } = await startFixtureIn(stateDir);
    const outputs: string[] = [];
    for (const command of commands) {
      const words = [...command.split(' '), '--state', stateDir];
      const run = await runCommand((terminal) => runPartner(words, { ...systemDeps(), terminal }));
      expect([command, run]).toMatchObject([command, { exit: 0 }]);
      outputs.push(run.out);
    }
    await service.stop();
    return { why: service.endpoints.whyNoSecret, outputs };
  };
  const file = join(stateDir, 'partners.json');
  const putSecret = (secret: string) => {
    const { main, ...others } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ main: { ...main, secret }, ...others }));
  };
  const lost = 'The credentials of bars in this folder do not work any more.';
  const fresh = `This begins again, with new ones and no data: npm run start -- --fresh --state ${stateDir}`;

  await started();
  putSecret('of a login that has others by now');
  const rotate = 'keys rotate bars bars --replace';
  // The first time the login has one secret, the second time two.
  const replaced = await started(rotate, `${rotate} --json`, 'disable bars --yes');
  expect(replaced.why).toBe(
    `${lost} This makes a new secret, to be put into ${file} before the next start: npm run partner -- ${rotate} --state ${stateDir}. ${fresh}`,
  );
  putSecret(JSON.parse(replaced.outputs[1] ?? '').secret);
  expect((await started('enable bars')).why).toBe(
    `${lost} This enables the partner, for the next start: npm run partner -- enable bars --state ${stateDir}. ${fresh}`,
  );
  expect((await started()).why).toBeUndefined();
});
