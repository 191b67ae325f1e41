import { failure } from '../../build/command-line.ts';
import { account, arn } from './account.ts';
import type { Resource } from './read-assembly.ts';

/** The one HTTP API there is, so its id can be a fixed, telling word. */
export const apiId = 'local';

/**
 * Stands in a resolved value for the address of the queue engine, whose port is known only after it started.
 * No real host name can be equal to it.
 */
export const queueEndpointMark = 'http://queue-endpoint.invalid';

/** CloudFormation adds a random part: without it the name survives a restart. */
export function tableName({ stackName, logicalId }: Resource): string {
  return `${stackName}-${logicalId}`;
}

export function streamArn(table: Resource): string {
  return arn('dynamodb', `table/${tableName(table)}/stream/local`);
}

/** The name that the template gives to a function or a queue: CDK writes it as plain text. */
function givenName({ properties, type, logicalId }: Resource, property: string): string {
  const name = properties[property];
  if (typeof name === 'string') return name;
  throw failure(`The local runner cannot run ${type} ${logicalId}: it needs a ${property}.`);
}

/** What `Ref` gives; `resolve` replaces the intrinsic functions in a property. */
export function referenceTo(resource: Resource, resolve: (value: unknown) => unknown): string {
  const { type, logicalId, stackName, properties } = resource;
  switch (type) {
    case 'AWS::ApiGatewayV2::Authorizer':
    case 'AWS::ApiGatewayV2::Integration':
      return logicalId;
    case 'AWS::DynamoDB::Table':
      return tableName(resource);
    // An alias names all the code there is here.
    case 'AWS::Lambda::Alias':
      return `${arn('lambda', `function:${resolve(properties['FunctionName'])}`)}:${properties['Name']}`;
    case 'AWS::Lambda::Function':
      return givenName(resource, 'FunctionName');
    case 'AWS::SQS::Queue':
      return `${queueEndpointMark}/${account.id}/${givenName(resource, 'QueueName')}`;
    default:
      throw failure(
        `The local runner does not support the Ref of ${type} ${logicalId} in stack ${stackName}.`,
      );
  }
}

/** What `Fn::GetAtt` gives. */
export function attributeOf(resource: Resource, attribute: string): string {
  const { type, logicalId, stackName } = resource;
  switch (`${type} ${attribute}`) {
    case 'AWS::DynamoDB::Table StreamArn':
      return streamArn(resource);
    case 'AWS::Lambda::Function Arn':
      return arn('lambda', `function:${givenName(resource, 'FunctionName')}`);
    case 'AWS::SQS::Queue Arn':
      return arn('sqs', givenName(resource, 'QueueName'));
    default:
      throw failure(
        `The local runner does not support the attribute ${attribute} of ${type} ${logicalId} in stack ${stackName}.`,
      );
  }
}
