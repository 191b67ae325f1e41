import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../../build/command-line.ts';
import { isRecord } from './is-record.ts';
import { members, sections, types } from './supported.ts';

/** All stacks of a synthesized assembly. */
export type Assembly = ReturnType<typeof readAssembly>;
export type Stack = ReturnType<typeof readStack>;
/** One entry of a template's `Resources`, its intrinsic functions not yet resolved. */
export type Resource = ReturnType<typeof readResource>;

const suffix = '.template.json';

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** What would be silently missing is worse than none: the first unknown name stops the start. */
function demandKnown(given: object, known: readonly string[], sentence: (name: string) => string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw failure(`The local runner ${sentence(unknown)}.`);
}

function readResource(stackName: string, logicalId: string, value: unknown) {
  const resource = record(value);
  const type = String(resource['Type']);
  demandKnown({ [type]: resource }, types, () => `cannot run ${type} (${logicalId} in stack ${stackName})`);
  demandKnown(resource, members, (name) => `cannot run ${type} ${logicalId}: it does not support ${name}`);
  const properties = record(resource['Properties']);
  return { logicalId, stackName, type, properties, metadata: record(resource['Metadata']) };
}

function readStack(name: string, template: Readonly<Record<string, unknown>>) {
  demandKnown(
    template,
    sections,
    (section) => `does not support the section ${section}, which stack ${name} has`,
  );
  const resources = Object.entries(record(template['Resources'])).map(
    ([logicalId, value]) => [logicalId, readResource(name, logicalId, value)] as const,
  );
  return { name, resources: new Map(resources) };
}

/** Reads every `*.template.json` of the folder that `cdk synth` filled. */
export function readAssembly(folder: string) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(suffix)) : [];
  if (files.length === 0) {
    throw failure(`No CloudFormation template in ${folder}: run "npm run build" first.`);
  }
  /** Export name -> the stack that exports it and the value, unresolved. */
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
