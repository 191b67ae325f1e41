import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { failure } from '../../ops/cli/command-line.ts';
import { parse } from '../../shared/platform/validation/format-issues.ts';
import { account, apiDomain, arn } from './account.ts';
import { isRecord } from './is-record.ts';

/**
 * A placeholder in resolved values for the address of the queue engine, whose port is known only after its start.
 * No real host name ends in .invalid.
 */
export const queueEndpointMark = 'http://queue-endpoint.invalid';

/** All stacks of a synthesized assembly. */
export type Assembly = ReturnType<typeof readAssembly>;
/** One entry of a template's `Resources`, its intrinsic functions not yet resolved. */
export type Resource = ReturnType<typeof readStack>['resources'][number];

type Template = {
  Parameters?: Record<string, { Default?: string }>;
  Conditions?: Record<string, unknown>;
  Resources?: Record<
    string,
    {
      Type: string;
      Condition?: string;
      Properties?: Record<string, unknown>;
      Metadata?: Record<string, unknown>;
    }
  >;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
};

function readStack(stackName: string, template: Template) {
  const { Parameters = {}, Conditions = {}, Resources = {}, Outputs = {} } = template;
  const resources = Object.entries(Resources).map(([logicalId, resource]) => {
    const {
      Type: type,
      Condition: condition,
      Properties: properties = {},
      Metadata: metadata = {},
    } = resource;
    return { logicalId, stackName, type, condition, properties, metadata };
  });
  const exports = Object.values(Outputs).map(({ Export, Value }) => [Export?.Name, Value] as const);
  const defaults = Object.entries(Parameters).map(([name, { Default }]) => [name, Default] as const);
  return {
    name: stackName,
    resources,
    /** The values that other stacks import, unresolved. */
    exports: new Map(exports),
    /** The values of parameters that a deployment does not name. */
    defaults: new Map(defaults),
    conditions: new Map(Object.entries(Conditions)),
  };
}

/** Reads every `*.template.json` of the folder that `cdk synth` filled. */
export function readAssembly(folder: string) {
  const suffix = '.template.json';
  const names = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(suffix)) : [];
  if (names.length === 0)
    throw failure(`No CloudFormation template in ${folder}: run "npm run build" first.`);
  const stacks = names
    .sort()
    .map((name) =>
      readStack(name.slice(0, -suffix.length), JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    );
  return { folder, stacks };
}

/** The place of a value: `Ref` looks names up in its stack, `Fn::ImportValue` in its assembly. */
type Scope = {
  assembly: Assembly;
  stack: Assembly['stacks'][number];
};

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account.id,
  'AWS::Partition': account.partition,
  'AWS::Region': account.region,
};

function resourceNamed(logicalId: string, { stack }: Scope): Resource {
  const resource = stack.resources.find((one) => one.logicalId === logicalId);
  if (resource) return resource;
  throw failure(`Stack ${stack.name} refers to "${logicalId}", which is none of its resources.`);
}

/** Leaves out the random part that CloudFormation adds, so that the name survives a restart. */
export function tableName({ stackName, logicalId }: Resource): string {
  return `${stackName}-${logicalId}`;
}

/** The ARN that event source mappings refer to. */
export function streamArn(table: Resource): string {
  return arn('dynamodb', `table/${tableName(table)}/stream/local`);
}

/** The values that `Ref` and `Fn::GetAtt` give of resources, by type and attribute. */
const attributes: Readonly<Record<string, (resource: Resource, scope: Scope) => string>> = {
  'AWS::ApiGatewayV2::Api ApiEndpoint': () => `https://${apiDomain}`,
  'AWS::ApiGatewayV2::Authorizer Ref': ({ logicalId }) => logicalId,
  'AWS::ApiGatewayV2::Integration Ref': ({ logicalId }) => logicalId,
  'AWS::DynamoDB::Table Ref': tableName,
  'AWS::DynamoDB::Table StreamArn': streamArn,
  // The local runner has one version of the code, so an alias means that.
  'AWS::Lambda::Alias Ref': ({ properties: { FunctionName, Name } }, scope) =>
    `${arn('lambda', `function:${resolveIntrinsics(FunctionName, scope)}`)}:${Name}`,
  'AWS::Lambda::Function Arn': ({ properties }) => arn('lambda', `function:${properties['FunctionName']}`),
  'AWS::Lambda::Function Ref': ({ properties }) => String(properties['FunctionName']),
  'AWS::SQS::Queue Arn': ({ properties }) => arn('sqs', String(properties['QueueName'])),
  'AWS::SQS::Queue Ref': ({ properties }) => `${queueEndpointMark}/${account.id}/${properties['QueueName']}`,
};

function readAttribute(logicalId: string, attribute: string, scope: Scope): string {
  const resource = resourceNamed(logicalId, scope);
  const read = attributes[`${resource.type} ${attribute}`];
  if (read) return read(resource, scope);
  const what = attribute === 'Ref' ? 'Ref' : `attribute ${attribute}`;
  throw failure(
    `The local runner does not support the ${what} of ${resource.type} ${logicalId} in stack ${resource.stackName}.`,
  );
}

/** The functions that CDK writes into the properties the runner reads. Their arguments are resolved. */
const intrinsics: Readonly<Record<string, (argument: never, scope: Scope) => unknown>> = {
  Ref: (name: string, scope) =>
    pseudoParameters[name] ?? scope.stack.defaults.get(name) ?? readAttribute(name, 'Ref', scope),
  'Fn::GetAtt': ([logicalId, attribute]: [string, string], scope) =>
    readAttribute(logicalId, attribute, scope),
  'Fn::Equals': ([one, other]: [string, string]) => one === other,
  'Fn::If': ([condition, yes, no]: [string, unknown, unknown], scope) => (holds(condition, scope) ? yes : no),
  'Fn::ImportValue': (name: string, { assembly, stack }) => {
    const exporting = assembly.stacks.find(({ exports }) => exports.has(name));
    if (exporting) return resolveIntrinsics(exporting.exports.get(name), { assembly, stack: exporting });
    throw failure(`Stack ${stack.name} imports "${name}", which no stack exports.`);
  },
  'Fn::Join': ([separator, parts]: [string, string[]]) => parts.join(separator),
  'Fn::Not': ([condition]: [boolean]) => !condition,
  'Fn::Select': ([index, list]: [number, unknown[]]) => list[index],
  'Fn::Split': ([separator, text]: [string, string]) => text.split(separator),
};

function holds(condition: string, scope: Scope): boolean {
  return resolveIntrinsics(scope.stack.conditions.get(condition), scope) === true;
}

/** A template value with every intrinsic function replaced by what it gives in the local account. */
function resolveIntrinsics(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, scope));
  if (!isRecord(value)) return value;
  const [name = '', ...others] = Object.keys(value);
  const intrinsic = others.length === 0 && Object.hasOwn(intrinsics, name) ? intrinsics[name] : undefined;
  if (intrinsic) return intrinsic(resolveIntrinsics(value[name], scope) as never, scope);
  if (name.startsWith('Fn::'))
    throw failure(`The local runner does not support ${name}, which stack ${scope.stack.name} uses.`);
  const members = Object.entries(value).map(([member, content]) => [
    member,
    resolveIntrinsics(content, scope),
  ]);
  return Object.fromEntries(members);
}

/** All resources of a type, in template order, with the properties that the schema names, resolved. */
export function findResources<Schema extends z.ZodMiniObject>(
  assembly: Assembly,
  type: string,
  schema: Schema,
) {
  return assembly.stacks.flatMap((stack) =>
    stack.resources
      .filter((resource) => resource.type === type)
      .filter(({ condition }) => condition === undefined || holds(condition, { assembly, stack }))
      .map((resource) => {
        const read = Object.entries(resource.properties).filter(([name]) => name in schema.shape);
        const result = parse(schema, resolveIntrinsics(Object.fromEntries(read), { assembly, stack }));
        if (result.success) return { resource, properties: result.data };
        const [issue] = result.error.issues;
        throw failure(
          `The local runner cannot run ${type} ${resource.logicalId}: ${issue?.path.join('.')}: ${issue?.message}.`,
        );
      }),
  );
}

/** The function that an ARN or a name means, whatever alias it is qualified with. */
export function functionNameIn(reference: string): string {
  return /^(?:.*function:)?([^:/]+)/.exec(reference)?.[1] ?? reference;
}
