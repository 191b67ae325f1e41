import type { Resources } from './synthesize.ts';
import { propertiesOf, resource } from './synthesize.ts';

export type Statement = {
  actions: string[];
  resources: unknown[];
  conditions?: Record<string, Record<string, unknown>>;
};

/** The allowed actions by resource: `table`, `stream`, `index due`, `*`, or the logical id of another resource. */
export type Permissions = Record<string, string[]>;

export function functionIds(template: Resources): string[] {
  return Object.keys(template.findResources('AWS::Lambda::Function')).sort();
}

/** Returns every statement of a role, inline and attached. */
export function statementsOfRole(template: Resources, roleId: string): Statement[] {
  const role = resource(template, 'AWS::IAM::Role', roleId);
  if (role.ManagedPolicyArns) throw new Error(`${roleId} has managed policies.`);
  const attached = propertiesOf(template, 'AWS::IAM::Policy').filter(({ Roles }) =>
    Roles.some((to: { Ref: string }) => to.Ref === roleId),
  );
  const documents = [...(role.Policies ?? []), ...attached].map((policy) => policy.PolicyDocument);
  return documents
    .flatMap((document) => document.Statement)
    .map((statement) => {
      if (statement.Effect !== 'Allow') throw new Error(`${roleId} has a ${statement.Effect} statement.`);
      return {
        actions: [statement.Action].flat(),
        resources: [statement.Resource].flat(),
        ...(statement.Condition ? { conditions: statement.Condition } : {}),
      };
    });
}

export function statementsOf(template: Resources, functionId: string): Statement[] {
  return statementsOfRole(template, `${functionId}Role`);
}

export function resourceName(resource: unknown): string {
  const text = JSON.stringify(resource);
  if (text === '"*"') return '*';
  if (text.includes('ExportsOutputFnGetAttTableStreamArn')) return 'stream';
  if (text.includes('ExportsOutputFnGetAttTableArn')) {
    const index = /"\/index\/([^"]+)"/.exec(text)?.[1];
    return index ? `index ${index}` : 'table';
  }
  if (text.includes(':execute-api:')) return /"\/(\$default[^"]+)"/.exec(text)?.[1] ?? text;
  const imported = /ExportsOutputFnGetAtt(\w+?)(?:[0-9A-F]{8})?Arn/.exec(text)?.[1];
  if (imported) return imported;
  return /"Fn::GetAtt":\["([^"]+)","Arn"\]/.exec(text)?.[1] ?? text;
}

export function permissionsIn(statements: readonly Statement[]): Permissions {
  const byResource: Permissions = {};
  for (const { actions, resources } of statements) {
    for (const name of resources.map(resourceName)) {
      byResource[name] = [...(byResource[name] ?? []), ...actions].sort();
    }
  }
  return byResource;
}

const reading = ['BatchGetItem', 'GetItem', 'Query'].map((action) => `dynamodb:${action}`);
const writing = ['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map(
  (action) => `dynamodb:${action}`,
);

/**
 * The patterns of partition keys that a function reads and writes. Throws if one of its statements about the table does not
 * name any, or allows other actions: one statement must allow all rows of a batch.
 */
export function rowsOf(template: Resources, functionId: string): Record<'reads' | 'writes', string[]> {
  const rows: Record<'reads' | 'writes', string[]> = { reads: [], writes: [] };
  for (const { actions, resources, conditions } of statementsOf(template, functionId)) {
    if (!resources.map(resourceName).includes('table')) continue;
    const kind = String(actions) === String(reading) ? 'reads' : 'writes';
    const patterns = conditions?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
    const isExpected = kind === 'reads' || String(actions) === String(writing);
    if (!isExpected || !patterns || Object.keys(conditions ?? {}).length > 1 || rows[kind].length > 0)
      throw new Error(`${functionId} may do more with the table than with rows: ${actions}`);
    rows[kind] = [patterns].flat().map(String).sort();
  }
  return rows;
}
