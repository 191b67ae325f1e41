import { functionEnvironment } from '../functions/function-environment.ts';
import type { FunctionModel, ServiceModel } from '../template/service-model.ts';
import type { RunningService } from './running-service.ts';

export type SamEnvironment = Readonly<Record<string, Readonly<Record<string, string>>>>;

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Loopback of a container is the container itself. An engine on another host keeps its name. */
function seenFromContainer(endpoint: string, host: string): string {
  const url = new URL(endpoint);
  if (loopback.has(url.hostname)) url.hostname = host;
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

/** The file for `sam local --env-vars`: logical id -> variable -> value, for a container that reaches us as `host`. */
export function samEnvironment(
  { functions }: ServiceModel,
  service: RunningService,
  host: string,
): SamEnvironment {
  const engines = {
    dynamodb: seenFromContainer(service.dynamodb, host),
    sqs: seenFromContainer(service.sqs, host),
  };
  const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: engines.dynamodb, AWS_ENDPOINT_URL_SQS: engines.sqs };
  const environmentOf = (model: FunctionModel): Record<string, string> => {
    const all = functionEnvironment(model, engines, service);
    const declared = Object.keys(model.environment).map((name) => [name, all[name] ?? '']);
    return {
      ...Object.fromEntries(declared),
      NODE_OPTIONS: withVariables(model.environment['NODE_OPTIONS'], endpoints),
    };
  };
  return Object.fromEntries(functions.map((model) => [model.logicalId, environmentOf(model)]));
}
