import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Makes the construct id of a resource its logical id, without CDK's hash: `sam local invoke StartSync`, the local
 * runner and the runbook use these names.
 */
export function logicalId<Named extends Construct>(construct: Named): Named {
  const resource = construct.node.defaultChild ?? construct;
  if (!CfnResource.isCfnResource(resource)) throw new Error(`${construct.node.path} is not one resource.`);
  resource.overrideLogicalId(construct.node.id);
  return construct;
}
