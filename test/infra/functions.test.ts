import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { templatesOf } from './synthesize.ts';

function functionsOf(stage: (typeof stages)[number]) {
  return Object.entries(templatesOf(stage).all.findResources('AWS::Lambda::Function'));
}

it.each(stages)(
  'in %s every function runs Node 24 on arm64, is traced, shows its own lines in a stack trace, and has a log of its own, where Lambda writes about failures only',
  (stage) => {
    const groups = templatesOf(stage).all.findResources('AWS::Logs::LogGroup');
    for (const [id, { Properties }] of functionsOf(stage)) {
      expect(Properties, id).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        Environment: {
          Variables: {
            NODE_OPTIONS: '--stack-trace-limit=30',
            POWERTOOLS_SERVICE_NAME: `partner-integration-${stage}`,
          },
        },
      });
      // INFO is the default of both the filter of Lambda and the logger, so every line that we log passes.
      const logging = { LogGroup: { Ref: `${id}Logs` }, LogFormat: 'JSON', SystemLogLevel: 'WARN' };
      expect(Properties.LoggingConfig, id).toEqual(logging);
      expect(Object.keys(Properties.Environment.Variables)).not.toContain('POWERTOOLS_LOG_LEVEL');
      const name = `/aws/lambda/partner-integration-${stage}-${id}`;
      expect(groups[`${id}Logs`]?.['Properties'].LogGroupName).toBe(name);
    }
    for (const [id, { Properties }] of Object.entries(groups))
      expect(Properties.RetentionInDays, id).toBe({ dev: 7, sandbox: 30, staging: 30, prod: 90 }[stage]);
  },
);

it('sam local and the local runner find every function: a direct child of its stack, by its id, without layers', () => {
  for (const [id, { Properties, Metadata }] of functionsOf('dev')) {
    const path = new RegExp(`^partner-integration-dev-(service|self-service|sandbox)/${id}/Resource$`);
    expect(Metadata['aws:cdk:path']).toMatch(path);
    expect(Metadata['aws:asset:path']).toMatch(/^asset\.[0-9a-f]{64}$/);
    expect(Metadata['aws:asset:property']).toBe('Code');
    expect(Properties).toMatchObject({ Handler: 'index.handler' });
    expect(Properties.Layers).toBeUndefined();
  }
  expect(functionsOf('dev').map(([id]) => id)).toContain('StartSync');
});

it('opening a check-in may take at most 4 s: that its secret code is unique depends on it', () => {
  for (const stage of stages) {
    const opening = functionsOf(stage).filter(([id]) => ['OpenCheckIn', 'OpenSandboxCheckIn'].includes(id));
    expect(opening.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of opening) expect(Properties.Timeout, id).toBeLessThanOrEqual(4);
  }
});

it('Lambda lets messages come back to the functions that attempt callbacks, and stops any other loop', () => {
  for (const stage of stages) {
    const allowed = functionsOf(stage).filter(([, { Properties }]) => Properties.RecursiveLoop === 'Allow');
    expect(allowed.map(([id]) => id).sort(), stage).toEqual(['DeliverCallback', 'DeliverSlowCallback']);
  }
});

it('what waits for a server of a partner, or works on much at once, may take 29 s', () => {
  const long = functionsOf('sandbox').filter(([, { Properties }]) => Properties.Timeout === 29);
  const ids =
    'DispatchMessages ExamineEndpoint GetSendReport ListCallbacks ReadFeed ReplayCallbacks SendBulk SendMulti StartSync TakeSandboxCallback TestAlerts TestCallback';
  expect(long.map(([id]) => id).sort()).toEqual(ids.split(' '));
});
