import { type CfnElement, Stack } from 'aws-cdk-lib';

/**
 * A stack whose direct children give their ids to their resources, without CDK's hash: `sam local invoke StartSync`, the
 * local runner and the runbook use these names.
 */
export class NamedStack extends Stack {
  protected override allocateLogicalId(element: CfnElement): string {
    const construct = element.node.scope;
    const isOfChild = construct?.node.scope === this && construct.node.defaultChild === element;
    return isOfChild ? construct.node.id : super.allocateLogicalId(element);
  }
}
