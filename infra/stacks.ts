import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addService } from './add-service.ts';
import { addBackupCopies } from './backup-copies.ts';
import { NamedStack } from './constructs/named-stack.ts';
import { makeRollouts } from './constructs/rollouts.ts';
import { costTag } from './costs.ts';
import { addSandbox } from './sandbox.ts';
import { addSelfService } from './self-service.ts';
import type { HttpService, Service } from './service.ts';
import { addTable } from './table.ts';
import { type TableInUse, tableInUse } from './table-in-use.ts';

/** The stacks of a stage. An unacknowledged finding of cdk-nag fails the synthesis. */
export function defineStacks(app: App, { config, codeFolder }: Pick<Service, 'config' | 'codeFolder'>) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const newStack = (name: string, what: string) => {
    const description = `Partner integration service, ${config.stage}: ${what}`;
    // CloudFormation gives the tag to every resource that can have one: the budget counts what they cost.
    const tags = { [costTag]: config.namePrefix };
    // Without the API its address is lost, and without the queues what waits in them.
    const terminationProtection = config.keepsData;
    return new NamedStack(app, `${config.namePrefix}-${name}`, { description, tags, terminationProtection });
  };
  // The table and its key outlive every deployment of the service.
  const data = newStack('data', 'the data');
  const table = addTable(data, config);
  if (config.keepsData) addBackupCopies(data, config);
  const service = newStack('service', 'the service');
  const main = addService({
    stack: service,
    config,
    table: tableInUse(service, table),
    codeFolder,
  });
  const inOwnStack = (stack: NamedStack) => serviceIn(stack, { main, table: tableInUse(stack, table) });
  const selfService = newStack('self-service', 'self-service of partners');
  addSelfService(inOwnStack(selfService));
  const sandbox =
    config.wallet === 'simulated' ? newStack('sandbox', 'the simulated wallet platform') : undefined;
  if (sandbox) addSandbox(inOwnStack(sandbox), main.walletQueues);
  return { data, service, selfService, sandbox };
}

/**
 * The service for more routes of its API in a stack with its own deployment groups: CloudFormation allows 500 resources
 * a stack, and an endpoint takes eleven.
 */
function serviceIn(
  stack: NamedStack,
  { main, table }: { main: HttpService; table: TableInUse },
): HttpService {
  const alarms = main.rollouts?.alarms ?? [];
  const own = makeRollouts(stack, main.config, { applicationName: stack.stackName, alarms });
  return { ...main, ...own, stack, table };
}
