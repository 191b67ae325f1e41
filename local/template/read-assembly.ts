import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from '../start-up-error.ts';
import { type Assembly, isRecord, type Properties, type Resource, type Stack } from './resource.ts';
import { demandSupportedMembers, demandSupportedSections, demandSupportedType } from './supported.ts';

const suffix = '.template.json';

function record(value: unknown): Properties {
  return isRecord(value) ? value : {};
}

function readResource(stackName: string, logicalId: string, value: unknown): Resource {
  const members = record(value);
  const type = String(members['Type']);
  const resource: Resource = {
    logicalId,
    stackName,
    type,
    properties: record(members['Properties']),
    metadata: record(members['Metadata']),
  };
  demandSupportedType(resource);
  demandSupportedMembers(resource, Object.keys(members));
  return resource;
}

function readStack(name: string, template: Properties): Stack {
  demandSupportedSections(name, Object.keys(template));
  const resources = Object.entries(record(template['Resources'])).map(
    ([logicalId, value]) => [logicalId, readResource(name, logicalId, value)] as const,
  );
  return { name, resources: new Map(resources) };
}

/** Reads every `*.template.json` of the folder that `cdk synth` filled. */
export function readAssembly(folder: string): Assembly {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(suffix)) : [];
  if (files.length === 0) {
    throw new StartUpError(`No CloudFormation template in ${folder}: run "npm run build" first.`);
  }
  const exports = new Map<string, { stack: Stack; value: unknown }>();
  const stacks: Stack[] = [];
  for (const file of files.sort()) {
    const template = record(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const stack = readStack(file.slice(0, -suffix.length), template);
    stacks.push(stack);
    for (const output of Object.values(record(template['Outputs']))) {
      const { Export, Value } = record(output);
      // CDK writes the name of an export as plain text.
      if (Export !== undefined) exports.set(String(record(Export)['Name']), { stack, value: Value });
    }
  }
  return { folder, stacks, exports };
}
