import { failure } from '../../build/command-line.ts';
import { account } from './account.ts';
import { isRecord } from './is-record.ts';
import { attributeOf, referenceTo } from './physical-names.ts';
import type { Assembly, Resource, Stack } from './read-assembly.ts';

/** Where a value stands: what `Ref` and `Fn::ImportValue` look names up in. */
export interface Scope {
  readonly assembly: Assembly;
  readonly stack: Stack;
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account.id,
  'AWS::Partition': account.partition,
  'AWS::Region': account.region,
};

function resourceNamed(logicalId: string, { stack }: Scope): Resource {
  const resource = stack.resources.get(logicalId);
  if (resource) return resource;
  throw failure(`Stack ${stack.name} refers to "${logicalId}", which is none of its resources.`);
}

function list(value: unknown, scope: Scope): unknown[] {
  const resolved = resolveIntrinsics(value, scope);
  if (Array.isArray(resolved)) return resolved;
  throw failure(
    `Stack ${scope.stack.name} has an intrinsic function without a list: ${JSON.stringify(value)}.`,
  );
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

/** The functions that CDK writes into the properties the runner reads. */
const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => {
    const name = String(argument);
    const resolve = (value: unknown) => resolveIntrinsics(value, scope);
    return pseudoParameters[name] ?? referenceTo(resourceNamed(name, scope), resolve);
  },
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, attribute] = list(argument, scope).map(String);
    return attributeOf(resourceNamed(logicalId ?? '', scope), attribute ?? '');
  },
  'Fn::ImportValue': (argument, scope) => {
    const found = scope.assembly.exports.get(String(argument));
    if (found) return resolveIntrinsics(found.value, { assembly: scope.assembly, stack: found.stack });
    throw failure(`Stack ${scope.stack.name} imports "${argument}", which no stack exports.`);
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument, scope);
    return list(parts, scope).join(String(separator));
  },
  'Fn::Select': (argument, scope) => {
    const [index, from] = list(argument, scope);
    return list(from, scope)[Number(index)];
  },
  'Fn::Split': (argument, scope) => {
    const [separator, text] = list(argument, scope);
    return String(text).split(String(separator));
  },
};

/** A template value with every intrinsic function replaced by what it gives in the local account. */
export function resolveIntrinsics(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, scope));
  if (!isRecord(value)) return value;
  const [name = '', ...others] = Object.keys(value);
  if (others.length === 0 && Object.hasOwn(intrinsics, name)) return intrinsics[name]?.(value[name], scope);
  if (name.startsWith('Fn::')) {
    throw failure(`The local runner does not support ${name}, which stack ${scope.stack.name} uses.`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([member, content]) => [member, resolveIntrinsics(content, scope)]),
  );
}
