import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** Lets a function or a role call the actions of one AWS service (`sqs`) on the resources. */
export function allow(
  { grantPrincipal }: IGrantable,
  service: string,
  actions: readonly string[],
  ...resources: string[]
): void {
  const prefixed = actions.map((action) => `${service}:${action}`);
  grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: prefixed, resources }));
}
