import { StartUpError } from '../start-up-error.ts';
import { account } from './account.ts';
import { attributeOf, referenceTo } from './physical-names.ts';
import { type Assembly, isRecord, type Stack } from './resource.ts';

/** Where a value stands: what `Ref` and `Fn::ImportValue` look names up in. */
export interface Scope {
  readonly assembly: Assembly;
  readonly stack: Stack;
}

const noValue = Symbol('AWS::NoValue');

function pseudoParameter(name: string, { stack }: Scope): unknown {
  switch (name) {
    case 'AWS::AccountId':
      return account.id;
    case 'AWS::Region':
      return account.region;
    case 'AWS::Partition':
      return account.partition;
    case 'AWS::URLSuffix':
      return account.urlSuffix;
    case 'AWS::StackName':
      return stack.name;
    case 'AWS::StackId':
      return `arn:aws:cloudformation:${account.region}:${account.id}:stack/${stack.name}/local`;
    case 'AWS::NotificationARNs':
      return [];
    case 'AWS::NoValue':
      return noValue;
    default:
      throw new StartUpError(
        `Stack ${stack.name} uses the pseudo parameter ${name}, which the local runner does not know.`,
      );
  }
}

function refer(name: string, scope: Scope): unknown {
  if (name.startsWith('AWS::')) return pseudoParameter(name, scope);
  const resource = scope.stack.resources.get(name);
  if (resource) return referenceTo(resource, (value) => resolveIntrinsics(value, scope));
  if (scope.stack.parameters.has(name)) return scope.stack.parameters.get(name) ?? '';
  throw new StartUpError(`Stack ${scope.stack.name} refers to "${name}", which it does not define.`);
}

function attribute(logicalId: string, name: string, scope: Scope): unknown {
  const resource = scope.stack.resources.get(logicalId);
  if (!resource) {
    throw new StartUpError(
      `Stack ${scope.stack.name} reads ${logicalId}.${name}, but defines no ${logicalId}.`,
    );
  }
  return attributeOf(resource, name, (value) => resolveIntrinsics(value, scope));
}

/** `Ref` and `Fn::GetAtt` in one: `Fn::Sub` writes the second as `${Table.Arn}`. */
function referOrAttribute(text: string, scope: Scope): string {
  const [logicalId, ...rest] = text.split('.');
  return String(
    rest.length > 0 && logicalId ? attribute(logicalId, rest.join('.'), scope) : refer(text, scope),
  );
}

function substitute(argument: unknown, scope: Scope): string {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = isRecord(variables) ? variables : {};
  return String(template).replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    return Object.hasOwn(own, name)
      ? String(resolveIntrinsics(own[name], scope))
      : referOrAttribute(name, scope);
  });
}

function list(value: unknown, scope: Scope): unknown[] {
  const resolved = resolveIntrinsics(value, scope);
  if (Array.isArray(resolved)) return resolved;
  throw new StartUpError(
    `Stack ${scope.stack.name} has an intrinsic function without a list: ${JSON.stringify(value)}.`,
  );
}

function holds(condition: unknown, scope: Scope): boolean {
  const value =
    typeof condition === 'string' ? resolveIntrinsics(scope.stack.conditions[condition], scope) : condition;
  return value === true || value === 'true';
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => refer(String(argument), scope),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, ...name] = Array.isArray(argument) ? argument : String(argument).split('.');
    return attribute(String(logicalId), name.join('.'), scope);
  },
  'Fn::Sub': substitute,
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = argument as [string, unknown];
    return list(parts, scope).join(separator);
  },
  'Fn::Select': (argument, scope) => {
    const [index, from] = argument as [unknown, unknown];
    return list(from, scope)[Number(resolveIntrinsics(index, scope))];
  },
  'Fn::Split': (argument, scope) => {
    const [separator, text] = argument as [string, unknown];
    return String(resolveIntrinsics(text, scope)).split(separator);
  },
  'Fn::ImportValue': (argument, scope) => {
    const name = String(resolveIntrinsics(argument, scope));
    const found = scope.assembly.exports.get(name);
    if (!found)
      throw new StartUpError(`Stack ${scope.stack.name} imports "${name}", which no stack exports.`);
    return resolveIntrinsics(found.value, { assembly: scope.assembly, stack: found.stack });
  },
  'Fn::FindInMap': (argument, scope) => {
    const keys = list(argument, scope).map(String);
    return keys.reduce<unknown>((map, key) => (isRecord(map) ? map[key] : undefined), scope.stack.mappings);
  },
  'Fn::If': (argument, scope) => {
    const [condition, whenTrue, whenFalse] = argument as [unknown, unknown, unknown];
    return resolve(holds(condition, scope) ? whenTrue : whenFalse, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(argument, scope);
    return left === right;
  },
  'Fn::Not': (argument, scope) => !holds(list(argument, scope)[0], scope),
  'Fn::And': (argument, scope) => list(argument, scope).every((value) => holds(value, scope)),
  'Fn::Or': (argument, scope) => list(argument, scope).some((value) => holds(value, scope)),
  'Fn::Base64': (argument, scope) =>
    Buffer.from(String(resolveIntrinsics(argument, scope))).toString('base64'),
  Condition: (argument, scope) => holds(argument, scope),
};

/** `{"Ref": ...}`, `{"Fn::X": ...}`: an object whose only member is the function. */
function intrinsicOf(value: Record<string, unknown>, scope: Scope): [Intrinsic, unknown] | undefined {
  const [name, ...others] = Object.keys(value);
  if (name === undefined || others.length > 0) return undefined;
  const intrinsic = Object.hasOwn(intrinsics, name) ? intrinsics[name] : undefined;
  // `Condition` is an ordinary member of policies: only a text can name a condition of the template.
  if (name === 'Condition' && typeof value[name] !== 'string') return undefined;
  if (intrinsic) return [intrinsic, value[name]];
  if (!name.startsWith('Fn::')) return undefined;
  throw new StartUpError(`Stack ${scope.stack.name} uses ${name}, which the local runner does not know.`);
}

function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value))
    return value.map((item) => resolve(item, scope)).filter((item) => item !== noValue);
  if (!isRecord(value)) return value;
  const found = intrinsicOf(value, scope);
  if (found) return found[0](found[1], scope);
  const members = Object.entries(value).map(([name, member]) => [name, resolve(member, scope)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== noValue));
}

/** A template value with every intrinsic function replaced by what it gives in the local account. */
export function resolveIntrinsics(value: unknown, scope: Scope): unknown {
  const resolved = resolve(value, scope);
  return resolved === noValue ? undefined : resolved;
}
