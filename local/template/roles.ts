import { type Access, findStatement, type Statement } from '../engines/table-accesses.ts';
import { readAssembly } from './assembly.ts';

type Texts = string | readonly string[];

type Policy = {
  Roles?: readonly { Ref: string }[];
  PolicyDocument: {
    Statement: readonly {
      Action: Texts;
      Resource: unknown;
      Condition?: Readonly<Record<string, Readonly<Record<string, Texts>>>>;
    }[];
  };
};

/** The only condition that it knows is that on leading keys. */
function statementsOf({ PolicyDocument }: Policy): Statement[] {
  return PolicyDocument.Statement.flatMap(({ Action, Resource, Condition = {} }) => {
    const { 'ForAllValues:StringLike': like, ...others } = Condition;
    const { 'dynamodb:LeadingKeys': keys, ...otherKeys } = like ?? {};
    if (Object.keys({ ...others, ...otherKeys }).length > 0)
      throw new Error(`The local runner cannot judge this condition of a role: ${JSON.stringify(Condition)}`);
    return [Resource].flat().map((resource) => ({
      actions: [Action].flat(),
      resource: nameOf(JSON.stringify(resource)),
      ...(keys && { rows: [keys].flat() }),
    }));
  });
}

/** `table`, or the name of an index. What is neither, such as a queue, keeps its text. */
function nameOf(resource: string): string {
  const index = /\/index\/([^"]+)"/.exec(resource)?.[1];
  return index ?? (resource.includes('GetAttTableArn') ? 'table' : resource);
}

/**
 * Reads the roles from the templates in the folder. The result says whether a function, by its id, may make a call, whose
 * resource is `table` or the name of an index.
 */
export function readRoles(folder: string) {
  const granted = new Map<string, Statement[]>();
  for (const { type, properties } of readAssembly(folder).stacks.flatMap(({ resources }) => resources)) {
    if (type !== 'AWS::IAM::Policy') continue;
    const policy = properties as Policy;
    for (const { Ref } of policy.Roles ?? [])
      granted.set(Ref, [...(granted.get(Ref) ?? []), ...statementsOf(policy)]);
  }
  return (functionId: string, access: Access): boolean =>
    findStatement(granted.get(`${functionId}Role`) ?? [], access) !== undefined;
}

export type Roles = ReturnType<typeof readRoles>;
