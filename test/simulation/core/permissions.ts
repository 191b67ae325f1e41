import { readdirSync, readFileSync } from 'node:fs';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** A call on rows of the table or of one of its indexes. */
export interface Access {
  readonly action: string;
  readonly of: string;
  readonly partition: string;
}

type Template = {
  readonly Resources: Record<string, { readonly Type: string; readonly Properties: Policy }>;
};
type Policy = {
  readonly Roles?: readonly { readonly Ref: string }[];
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
};

function isLike(text: string, pattern: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

/** True if the partition key meets the condition on leading keys, `StringLike` or `StringNotLike`. */
function holds(Condition: NonNullable<Statement['Condition']>, partition: string): boolean {
  return Object.entries(Condition).every(([operator, { 'dynamodb:LeadingKeys': patterns = [] }]) => {
    const some = [patterns].flat().some((pattern) => isLike(partition, pattern));
    return operator.endsWith('NotLike') ? !some : some;
  });
}

function allows({ Action, Resource, Condition }: Statement, { action, of, partition }: Access): boolean {
  const resource = JSON.stringify(Resource);
  const isOfIt = of === 'table' ? resource.includes('GetAttTableArn') : resource.includes(`/index/${of}"`);
  return [Action].flat().includes(`dynamodb:${action}`) && isOfIt && holds(Condition ?? {}, partition);
}

/** Reads the roles from the templates in the folder. The result says whether a function may make a call. */
export function readPermissions(folder: string) {
  const statements = new Map<string, Statement[]>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.template.json'))) {
    const { Resources }: Template = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    for (const { Type, Properties } of Object.values(Resources)) {
      if (Type !== 'AWS::IAM::Policy') continue;
      for (const { Ref } of Properties.Roles ?? [])
        statements.set(Ref, [...(statements.get(Ref) ?? []), ...Properties.PolicyDocument.Statement]);
    }
  }
  return (functionName: string, access: Access): boolean =>
    (statements.get(`${functionName}Role`) ?? []).some((statement) => allows(statement, access));
}

export type Permissions = ReturnType<typeof readPermissions>;
