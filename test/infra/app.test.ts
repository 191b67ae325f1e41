import { spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

it('a variable STAGE names no stage: without the context cdk works on dev, never on what a runbook exported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'infra-app-'));
  for (const name of ['dist', 'functions']) symlinkSync(resolve(name), join(folder, name));
  const { CDK_OUTDIR: _none, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [resolve('infra/app.ts')], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, STAGE: 'prod' },
  });
  expect({ stdout, stderr }).toEqual({
    stdout: 'Synthesized stage dev into cdk.out: 4 stacks.\n',
    stderr: '',
  });
});
