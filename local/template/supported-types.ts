import { StartUpError } from '../start-up-error.ts';
import type { Assembly } from './resource.ts';

const executed: readonly string[] = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Version',
  'AWS::Scheduler::Schedule',
  'AWS::SQS::Queue',
];

/** What permits, observes or stores for AWS only: without it the service behaves the same here. */
const passive: readonly string[] = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApplicationSignals::',
  'AWS::Backup::',
  'AWS::Budgets::',
  'AWS::CDK::',
  'AWS::CertificateManager::',
  'AWS::CloudWatch::',
  'AWS::CodeDeploy::',
  'AWS::IAM::',
  'AWS::KMS::',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::',
  'AWS::Route53::',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::WAFv2::',
  'AWS::XRay::',
];

/** A resource that would be silently missing is worse than none: the first unknown type stops the start. */
export function demandSupportedTypes({ stacks }: Assembly): void {
  for (const { name, resources } of stacks) {
    for (const { type, logicalId } of resources.values()) {
      if (executed.includes(type) || passive.some((prefix) => type.startsWith(prefix))) continue;
      throw new StartUpError(`The local runner cannot run ${type} (${logicalId} in stack ${name}).`);
    }
  }
}
