import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('an unknown stage is refused in one sentence', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/app.ts', 'production'], {
    encoding: 'utf8',
    env: { ...process.env, CDK_OUTDIR: mkdtempSync(join(tmpdir(), 'infra-app-')) },
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Unknown stage "production": choose one of dev, sandbox, staging, prod.\n',
  });
});
