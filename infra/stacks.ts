import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ConsoleStack } from './console-stack.ts';
import { DataStack } from './data-stack.ts';
import { SandboxStack } from './sandbox-stack.ts';
import { SelfServiceStack } from './self-service-stack.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** The stacks of a stage. An unacknowledged finding of cdk-nag fails the synthesis. */
export function defineStacks(app: App, props: Omit<ServiceStackProps, 'table'>) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { namePrefix } = props.config;
  const data = new DataStack(app, `${namePrefix}-data`, props.config);
  const service = new ServiceStack(app, `${namePrefix}-service`, { ...props, table: data.table });
  const selfService = new SelfServiceStack(app, `${namePrefix}-self-service`, service.service);
  const sandbox =
    props.config.wallet === 'simulated' ? new SandboxStack(app, `${namePrefix}-sandbox`, service) : undefined;
  const webConsole = new ConsoleStack(app, `${namePrefix}-console`, service.service);
  return { data, service, selfService, webConsole, sandbox };
}
