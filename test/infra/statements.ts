import type { Template } from 'aws-cdk-lib/assertions';

export type Statement = {
  actions: string[];
  resources: unknown[];
  conditions?: Record<string, Record<string, unknown>>;
};

/** Every statement of a function's role, inline and attached. */
export const statementsOf = (template: Template, functionId: string): Statement[] => {
  const roleId = `${functionId}Role`;
  const role = template.findResources('AWS::IAM::Role')[roleId];
  if (role?.['Properties'].ManagedPolicyArns) throw new Error(`${roleId} has managed policies.`);
  const attached = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some((to: { Ref: string }) => to.Ref === roleId));
  const documents = [...(role?.['Properties'].Policies ?? []), ...attached].map(
    (policy) => policy.PolicyDocument,
  );
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
};

export const functionIds = (template: Template): string[] =>
  Object.keys(template.findResources('AWS::Lambda::Function')).sort();
