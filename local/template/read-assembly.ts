import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from '../start-up-error.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import { type Assembly, isRecord, type Properties, type Resource, type Stack } from './resource.ts';

const suffix = '.template.json';

function record(value: unknown): Properties {
  return isRecord(value) ? value : {};
}

function readStack(name: string, template: Properties): Stack {
  const resources = new Map<string, Resource>();
  for (const [logicalId, value] of Object.entries(record(template['Resources']))) {
    const { Type, Properties: properties, Metadata: metadata } = record(value);
    resources.set(logicalId, {
      logicalId,
      stackName: name,
      type: String(Type),
      properties: record(properties),
      metadata: record(metadata),
    });
  }
  const parameters = Object.entries(record(template['Parameters'])).map(
    ([parameter, value]) => [parameter, record(value)['Default']] as const,
  );
  return {
    name,
    resources,
    parameters: new Map(parameters),
    conditions: record(template['Conditions']),
    mappings: record(template['Mappings']),
  };
}

/** Reads every `*.template.json` of the folder that `cdk synth` filled. */
export function readAssembly(folder: string): Assembly {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(suffix)) : [];
  if (files.length === 0) {
    throw new StartUpError(`No CloudFormation template in ${folder}: run "npm run build" first.`);
  }
  const exports = new Map<string, { stack: Stack; value: unknown }>();
  const stacks: Stack[] = [];
  const outputs: { stack: Stack; output: Properties }[] = [];
  for (const file of files.sort()) {
    const template = record(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const stack = readStack(file.slice(0, -suffix.length), template);
    stacks.push(stack);
    outputs.push(
      ...Object.values(record(template['Outputs'])).map((output) => ({ stack, output: record(output) })),
    );
  }
  const assembly: Assembly = { folder, stacks, exports };
  for (const { stack, output } of outputs) {
    const name = record(output['Export'])['Name'];
    // Export names are fixed texts or built from pseudo parameters, never from other exports.
    if (name !== undefined) {
      exports.set(String(resolveIntrinsics(name, { assembly, stack })), { stack, value: output['Value'] });
    }
  }
  return assembly;
}
