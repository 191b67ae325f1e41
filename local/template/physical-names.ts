import { account, arn } from './account.ts';
import type { Resource } from './resource.ts';

type Resolve = (value: unknown) => unknown;

/** The stage of an API is the only one, so its id can be a fixed, telling word. */
export const apiId = 'local';

/**
 * Stands in a resolved value for the address of the queue engine, whose port is known only after it started.
 * No real host name can be equal to it.
 */
export const queueEndpointMark = 'http://queue-endpoint.invalid';

function given(resource: Resource, property: string, resolve: Resolve): string {
  const name = resource.properties[property];
  // CloudFormation invents `<stack>-<logicalId>-<random>`: without the random part it survives a restart.
  return name === undefined ? `${resource.stackName}-${resource.logicalId}` : String(resolve(name));
}

export function tableName(resource: Resource, resolve: Resolve): string {
  return given(resource, 'TableName', resolve);
}

export function functionName(resource: Resource, resolve: Resolve): string {
  return resource.properties['FunctionName'] === undefined
    ? resource.logicalId.replace(/[0-9A-F]{8}$/, '')
    : given(resource, 'FunctionName', resolve);
}

export function queueName(resource: Resource, resolve: Resolve): string {
  const name = given(resource, 'QueueName', resolve);
  const fifo = resource.properties['FifoQueue'] === true && !name.endsWith('.fifo');
  return fifo ? `${name}.fifo` : name;
}

function queueUrl(resource: Resource, resolve: Resolve): string {
  return `${queueEndpointMark}/${account.id}/${queueName(resource, resolve)}`;
}

function lambdaArn(resource: Resource, resolve: Resolve): string {
  return arn('lambda', `function:${functionName(resource, resolve)}`);
}

function streamArn(resource: Resource, resolve: Resolve): string {
  return arn('dynamodb', `table/${tableName(resource, resolve)}/stream/local`);
}

/** What `Ref` gives. */
export function referenceTo(resource: Resource, resolve: Resolve): string {
  switch (resource.type) {
    case 'AWS::DynamoDB::Table':
    case 'AWS::DynamoDB::GlobalTable':
      return tableName(resource, resolve);
    case 'AWS::SQS::Queue':
      return queueUrl(resource, resolve);
    case 'AWS::Lambda::Function':
      return functionName(resource, resolve);
    // Versions and aliases are all the one code there is here.
    case 'AWS::Lambda::Version':
      return `${lambdaArn(resource, resolve)}:1`;
    case 'AWS::Lambda::Alias':
      return `${lambdaArn(resource, resolve)}:${resolve(resource.properties['Name'])}`;
    case 'AWS::ApiGatewayV2::Api':
      return apiId;
    case 'AWS::SNS::Topic':
      return arn('sns', resource.logicalId);
    default:
      return resource.logicalId;
  }
}

/** What `Fn::GetAtt` gives. */
export function attributeOf(resource: Resource, attribute: string, resolve: Resolve): string {
  switch (`${resource.type} ${attribute}`) {
    case 'AWS::DynamoDB::Table Arn':
    case 'AWS::DynamoDB::GlobalTable Arn':
      return arn('dynamodb', `table/${tableName(resource, resolve)}`);
    case 'AWS::DynamoDB::Table StreamArn':
    case 'AWS::DynamoDB::GlobalTable StreamArn':
      return streamArn(resource, resolve);
    case 'AWS::SQS::Queue Arn':
      return arn('sqs', queueName(resource, resolve));
    case 'AWS::SQS::Queue QueueName':
      return queueName(resource, resolve);
    case 'AWS::SQS::Queue QueueUrl':
      return queueUrl(resource, resolve);
    case 'AWS::Lambda::Function Arn':
      return lambdaArn(resource, resolve);
    case 'AWS::Lambda::Alias AliasArn':
      return referenceTo(resource, resolve);
    case 'AWS::ApiGatewayV2::Api ApiEndpoint':
      return `https://${apiId}.execute-api.${account.region}.${account.urlSuffix}`;
    default:
      // Nothing that runs here reads it: roles, log groups, topics of alarms.
      return arn('local', `${resource.logicalId}/${attribute}`);
  }
}
