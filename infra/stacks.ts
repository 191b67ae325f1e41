import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ConsoleStack } from './console-stack.ts';
import { NamedStack } from './constructs/named-stack.ts';
import { makeRollouts } from './constructs/rollouts.ts';
import { DataStack } from './data-stack.ts';
import { addSandbox } from './sandbox.ts';
import { addSelfService } from './self-service.ts';
import type { HttpService } from './service.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** The stacks of a stage. An unacknowledged finding of cdk-nag fails the synthesis. */
export function defineStacks(app: App, props: Omit<ServiceStackProps, 'table'>) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { namePrefix } = props.config;
  const data = new DataStack(app, `${namePrefix}-data`, props.config);
  const service = new ServiceStack(app, `${namePrefix}-service`, { ...props, table: data.table });
  const selfService = inOwnStack(app, service.service, ['self-service', 'self-service of partners']);
  addSelfService(selfService);
  const sandbox =
    props.config.wallet === 'simulated'
      ? inOwnStack(app, service.service, ['sandbox', 'the simulated wallet platform'])
      : undefined;
  if (sandbox) addSandbox(sandbox, service.walletQueues);
  const webConsole = new ConsoleStack(app, `${namePrefix}-console`, service.service);
  return { data, service, selfService: selfService.stack, webConsole, sandbox: sandbox?.stack };
}

/**
 * A stack for more routes of the service's API, with its own deployment groups: CloudFormation allows 500 resources a
 * stack, and an endpoint takes eleven.
 */
function inOwnStack(app: App, main: HttpService, [name, what]: [string, string]): HttpService {
  const { config, rollouts, ...shared } = main;
  const id = `${config.namePrefix}-${name}`;
  const stack = new NamedStack(app, id, {
    description: `Partner integration service, ${config.stage}: ${what}`,
  });
  const alarms = rollouts?.alarms ?? [];
  return { ...shared, config, stack, ...makeRollouts(stack, config, { applicationName: id, alarms }) };
}
