import { account } from '../template/account.ts';
import { queueEndpointMark } from '../template/assembly.ts';
import type { FunctionModel } from '../template/service-model.ts';

export type EngineEndpoints = {
  dynamodb: string;
  sqs: string;
};

/** Speeds that differ from AWS when everything runs on one machine. */
export type LocalPace = {
  /** Divides the waits between retries and the intervals of schedules. The default is 1, real time. */
  retrySpeed?: number;
  /** How long the simulated wallet platform takes to deliver a message, and its owner to open it. The default is 0. */
  walletDelaySeconds?: number;
};

/** Everything a function sees in `process.env`: the runner's own environment is not passed on. */
export function functionEnvironment(
  model: FunctionModel,
  engines: EngineEndpoints,
  { retrySpeed = 1, walletDelaySeconds = 0 }: LocalPace = {},
): Record<string, string> {
  // On one machine partners are on loopback, and retries need not take hours.
  const local: Readonly<Record<string, string>> = {
    CALLBACK_ADDRESSES: 'loopback-too',
    CALLBACK_RETRY_SPEED: String(retrySpeed),
    WALLET_DELAY_SECONDS: String(walletDelaySeconds),
  };
  const own = Object.entries(model.environment).map(
    ([name, value]) => [name, local[name] ?? value.replaceAll(queueEndpointMark, engines.sqs)] as const,
  );
  return {
    AWS_REGION: account.region,
    AWS_DEFAULT_REGION: account.region,
    // Engines require a signature but do not check it.
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    // The SDK sends the token with every call, so a meter in front of an engine knows which function calls.
    AWS_SESSION_TOKEN: model.name,
    AWS_ENDPOINT_URL_DYNAMODB: engines.dynamodb,
    AWS_ENDPOINT_URL_SQS: engines.sqs,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: model.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${model.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: model.codeFolder,
    _HANDLER: model.handler,
    PATH: process.env['PATH'] ?? '',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...Object.fromEntries(own),
  };
}
