import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A call on rows of the table or of one of its indexes. */
export type RowAccess = {
  /** `PutItem` */
  action: string;
  /** `table`, or the name of an index. */
  of: string;
  /** The partition keys. One statement must allow all of them. */
  partitions: readonly string[];
};

type Texts = string | readonly string[];

type Statement = {
  Action: Texts;
  Resource: unknown;
  Condition?: Readonly<Record<string, Readonly<Record<string, Texts>>>>;
};

type Template = {
  Resources: Record<string, { Type: string; Properties: Policy }>;
};
type Policy = {
  Roles?: readonly { Ref: string }[];
  PolicyDocument: { Statement: readonly Statement[] };
};

/** A statement as a function that judges calls. The only condition it knows is that on leading keys. */
function makeJudge({ Action, Resource, Condition = {} }: Statement) {
  const { 'ForAllValues:StringLike': like, ...others } = Condition;
  const { 'dynamodb:LeadingKeys': keys, ...otherKeys } = like ?? {};
  if (Object.keys({ ...others, ...otherKeys }).length > 0)
    throw new Error(`The local runner cannot judge this condition of a role: ${JSON.stringify(Condition)}`);
  const actions = [Action].flat();
  const resource = JSON.stringify(Resource);
  const patterns = [keys ?? '*'].flat();
  return ({ action, of, partitions }: RowAccess): boolean =>
    actions.includes(`dynamodb:${action}`) &&
    resource.includes(of === 'table' ? 'GetAttTableArn' : `/index/${of}"`) &&
    partitions.every((partition) => patterns.some((pattern) => isLike(partition, pattern)));
}

function isLike(text: string, pattern: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

/** Reads the roles from the templates in the folder. The result says whether a function, by its id, may make a call. */
export function readRoles(folder: string) {
  const judges = new Map<string, ReturnType<typeof makeJudge>[]>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.template.json'))) {
    const { Resources }: Template = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const { Type, Properties } of Object.values(Resources)) {
      if (Type !== 'AWS::IAM::Policy') continue;
      for (const { Ref } of Properties.Roles ?? [])
        judges.set(Ref, [...(judges.get(Ref) ?? []), ...Properties.PolicyDocument.Statement.map(makeJudge)]);
    }
  }
  return (functionId: string, access: RowAccess): boolean =>
    (judges.get(`${functionId}Role`) ?? []).some((allows) => allows(access));
}

export type Roles = ReturnType<typeof readRoles>;
