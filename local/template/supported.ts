import { StartUpError } from '../start-up-error.ts';
import type { Resource } from './resource.ts';

const executed: readonly string[] = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Version',
  'AWS::SQS::Queue',
];

/** What permits, observes or deploys in AWS only: without it the service behaves the same here. */
const ignored: readonly string[] = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
];

/** `Parameters` and `Rules` concern the deployment and IAM: nothing that runs here reads a parameter. */
const sections: readonly string[] = ['Description', 'Outputs', 'Parameters', 'Resources', 'Rules'];

const members: readonly string[] = [
  'DeletionPolicy',
  'DependsOn',
  'Metadata',
  'Properties',
  'Type',
  'UpdatePolicy',
  'UpdateReplacePolicy',
];

/** A resource that would be silently missing is worse than none: the first unknown type stops the start. */
export function demandSupportedType({ type, logicalId, stackName }: Resource): void {
  if (executed.includes(type) || ignored.includes(type)) return;
  throw new StartUpError(`The local runner cannot run ${type} (${logicalId} in stack ${stackName}).`);
}

/** `Condition`, say, would make a resource of some stages only. */
export function demandSupportedMembers({ type, logicalId }: Resource, names: readonly string[]): void {
  const unknown = names.find((name) => !members.includes(name));
  if (unknown === undefined) return;
  throw new StartUpError(`The local runner cannot run ${type} ${logicalId}: it does not support ${unknown}.`);
}

export function demandSupportedSections(stackName: string, names: readonly string[]): void {
  const unknown = names.find((name) => !sections.includes(name));
  if (unknown === undefined) return;
  throw new StartUpError(
    `The local runner does not support the section ${unknown}, which stack ${stackName} has.`,
  );
}
