import { Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { FunctionSize } from '../config.ts';
import type { Service } from '../service.ts';
import { allow } from './allow.ts';
import { logGroup } from './log-group.ts';
import { liveAlias } from './rollouts.ts';
import { type TableAccess, tableStatements } from './table-access.ts';

export type ServiceFunctionProps = TableAccess & {
  /** The function whose code it runs. Left out: it has code of its own. */
  codeOf?: string;
  /** Left out: the size of most endpoints, or of most workers. */
  size?: FunctionSize;
  environment?: Readonly<Record<string, string>>;
  /** The queues that it may send to, by the variables of its environment that hold their URLs. */
  sendsTo?: Readonly<Record<string, Queue>>;
  /** Whether it behaves differently where the wallet platform is simulated. */
  readsWallet?: boolean;
  /** Whether its messages may come back to it, by design and with a bound of its own. */
  sendsToItself?: boolean;
};

type SizedProps = ServiceFunctionProps & { size: FunctionSize };

export type ServiceFunction = {
  /** Has the role and the metrics. */
  lambda: LambdaFunction;
  /** Routes, mappings and schedules invoke this: the alias `live`, or the function in a stage without aliases. */
  target: IFunction;
};

/** A Lambda function with a role and a log group of its own. Its id is its logical id. */
export function serviceFunction(service: Service, id: string, props: SizedProps): ServiceFunction {
  const lambda = lambdaFunction(service, id, props);
  return { lambda, target: service.rollouts ? liveAlias(service, service.rollouts, lambda) : lambda };
}

function lambdaFunction(service: Service, id: string, props: SizedProps): LambdaFunction {
  const { stack, config } = service;
  const functionName = `${config.namePrefix}-${id}`;
  const logs = logGroup(service, `${id}Logs`, `/aws/lambda/${functionName}`);
  const role = new Role(stack, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logs.grants.write(role);
  const queues = Object.entries(props.sendsTo ?? {});
  for (const [, { queueArn }] of queues) allow(role, 'sqs', ['SendMessage'], queueArn);
  for (const statement of tableStatements(service.table, props)) role.addToPolicy(statement);
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Active tracing: xray:PutTraceSegments and xray:PutTelemetryRecords have no resource but *.',
  });

  const reserved = config.reservedConcurrency[id];
  return new LambdaFunction(stack, id, {
    functionName,
    code: Code.fromAsset(service.codeFolder(props.codeOf ?? id)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: props.size.memoryMb,
    timeout: Duration.seconds(props.size.timeoutSeconds),
    tracing: Tracing.ACTIVE,
    // Lambda stops a function whose messages come back to it about 16 times.
    ...(props.sendsToItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    role,
    logGroup: logs,
    ...quietLogs,
    ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    description: service.table.tableName,
    // CDK names a version by the template, where a restored table is a parameter. Its description makes CloudFormation
    // replace it when the table is another one.
    currentVersionOptions: { description: service.table.tableName },
    environment: {
      // The stack of an SDK error has ten frames of the SDK before the first of ours.
      NODE_OPTIONS: '--stack-trace-limit=30',
      // Also a dimension of the metrics: stages that share an account must not be added up.
      POWERTOOLS_SERVICE_NAME: config.namePrefix,
      TABLE_NAME: service.table.tableName,
      ...(props.readsWallet ? { WALLET: config.wallet } : {}),
      ...props.environment,
      ...Object.fromEntries(queues.map(([name, { queueUrl }]) => [name, queueUrl])),
    },
  });
}

/**
 * Lambda writes no line about an invocation that succeeds: START, END and REPORT would be nearly half of all bytes. What
 * fails, times out or does not start it still reports, as JSON. Our own lines, which are JSON already, and the metrics in
 * them stay as they are, because Lambda does not encode JSON twice, and passes on all lines from the level INFO on:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
const quietLogs = { loggingFormat: LoggingFormat.JSON, systemLogLevelV2: SystemLogLevel.WARN };
