import {
  type EngineEndpoints,
  functionEnvironment,
  type LocalPace,
} from './functions/function-environment.ts';
import type { FunctionModel } from './template/service-model.ts';

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Loopback of a container is the container itself. An engine on another host keeps its name. */
function seenFromContainer(endpoint: string): string {
  const url = new URL(endpoint);
  if (loopback.has(url.hostname)) url.hostname = 'host.docker.internal';
  return url.href.replace(/\/$/, '');
}

/**
 * SAM CLI passes only variables that the template declares, and a template for AWS declares no endpoints. But it
 * declares NODE_OPTIONS, which makes Node run a line before it loads the function.
 */
function withVariables(nodeOptions: string | undefined, variables: Record<string, string>): string {
  const line = encodeURIComponent(`Object.assign(process.env,${JSON.stringify(variables)})`);
  return [nodeOptions, `--import=data:text/javascript,${line}`].filter(Boolean).join(' ');
}

/** The file for `sam local --env-vars`: logical id -> variable -> value. */
export function samEnvironment(
  functions: readonly FunctionModel[],
  { dynamodb, sqs }: EngineEndpoints,
  pace: LocalPace,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const engines = { dynamodb: seenFromContainer(dynamodb), sqs: seenFromContainer(sqs) };
  const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: engines.dynamodb, AWS_ENDPOINT_URL_SQS: engines.sqs };
  const environmentOf = (model: FunctionModel): Record<string, string> => {
    const all = functionEnvironment(model, engines, pace);
    const declared = Object.keys(model.environment).map((name) => [name, all[name] ?? '']);
    const NODE_OPTIONS = withVariables(model.environment['NODE_OPTIONS'], endpoints);
    return { ...Object.fromEntries(declared), NODE_OPTIONS };
  };
  return Object.fromEntries(functions.map((model) => [model.logicalId, environmentOf(model)]));
}
