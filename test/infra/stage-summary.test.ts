import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { appOf } from './synthesize.ts';

it.each(stages)(
  'the templates of %s stay within 400 resources and 1 MB: CloudFormation takes 500, and room is left for a change under way',
  (stage) => {
    const { directory, stacks } = appOf(stage).app.synth();
    expect(stacks.map(({ stackName }) => stackName)).toEqual([
      `partner-integration-${stage}-data`,
      `partner-integration-${stage}-service`,
      `partner-integration-${stage}-self-service`,
      ...(stage === 'dev' || stage === 'sandbox' ? [`partner-integration-${stage}-sandbox`] : []),
    ]);
    for (const { stackName, templateFile } of stacks) {
      const text = readFileSync(join(directory, templateFile), 'utf8');
      const resources = Object.keys(JSON.parse(text).Resources).length;
      expect(resources, stackName).toBeGreaterThan(0);
      expect(resources, stackName).toBeLessThanOrEqual(400);
      expect(Buffer.byteLength(text), stackName).toBeGreaterThan(1_000);
      expect(Buffer.byteLength(text), stackName).toBeLessThan(1_000_000);
    }
  },
);
