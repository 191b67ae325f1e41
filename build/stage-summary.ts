import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { defineStacks } from '../infra/stacks.ts';

/** CloudFormation's limits of a template. 1 MB is 1,000,000 bytes here, to be on the safe side. */
export const templateLimits = { resources: 500, bytes: 1_000_000 } as const;

type Defined = { readonly app: App } & ReturnType<typeof defineStacks>;

/** Synthesizes a stage and counts what is in it. Throws on an unacknowledged finding of cdk-nag. */
export function summarize({ app, service, selfService, webConsole, sandbox }: Defined, startedAt: number) {
  const { directory, stacks } = app.synth();
  const functional = [service, selfService, webConsole, ...(sandbox ? [sandbox] : [])];
  const templates = functional.map((stack) => Template.fromStack(stack));
  const count = (type: string) =>
    templates.flatMap((template) => Object.keys(template.findResources(type))).length;
  return {
    seconds: (performance.now() - startedAt) / 1000,
    stacks: stacks.map(({ stackName, templateFile }) => {
      const text = readFileSync(join(directory, templateFile), 'utf8');
      return {
        name: stackName,
        resources: Object.keys(JSON.parse(text).Resources).length,
        bytes: Buffer.byteLength(text),
      };
    }),
    functions: count('AWS::Lambda::Function'),
    alarms: count('AWS::CloudWatch::Alarm') + count('AWS::CloudWatch::CompositeAlarm'),
    nagFindings: findingsIn(directory),
    nagAcknowledgements: acknowledgements(app).length,
  };
}

function findingsIn(directory: string): number {
  const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')) as {
    pluginReports: { violations: unknown[] }[];
  };
  return report.pluginReports.flatMap(({ violations }) => violations).length;
}

/** `at`: the construct it was made on; `reasons`: by what they acknowledge. */
export function acknowledgements(app: App): { at: string; reasons: Record<string, string> }[] {
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.map(({ type, data }) => ({ at: node.id, type, reasons: data })))
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .map(({ at, reasons }) => ({ at, reasons }));
}
