import { CfnOutput } from 'aws-cdk-lib';
import { addAlarmTopics } from './alarm-topic.ts';
import { addCallbacks } from './callbacks.ts';
import { addCheckIns } from './check-ins.ts';
import { addConsole } from './console.ts';
import { afterLastChange } from './constructs/gateway-route.ts';
import { countCommonFailures, makeRollouts, rollbackAlarms } from './constructs/rollouts.ts';
import { watchCosts } from './costs.ts';
import { addDashboard } from './dashboard/add-dashboard.ts';
import { addDeadlines } from './deadlines.ts';
import { addGateway } from './gateway.ts';
import { watchObjectives } from './objectives.ts';
import { addPlaces } from './places.ts';
import { addPromotions } from './promotions.ts';
import { addPush } from './push.ts';
import type { HttpService, Service } from './service.ts';
import { watchTable } from './table-alarms.ts';
import { addWalletRole } from './wallet-role.ts';

/** Everything that can be deployed at any time: gateway, functions, queues, alarms. */
export function addService(parts: Pick<Service, 'stack' | 'config' | 'table' | 'codeFolder'>) {
  const { stack, config } = parts;
  const inPlace: Service = { ...parts, alarmTopics: addAlarmTopics(stack, config) };
  const alarms = rollbackAlarms(inPlace);
  const rollouts = makeRollouts(stack, config, { applicationName: config.namePrefix, alarms });
  const withoutGateway: Service = { ...inPlace, ...rollouts };
  watchTable(withoutGateway);

  const service: HttpService = { ...withoutGateway, gateway: addGateway(withoutGateway) };
  addPlaces(service);
  addCheckIns(service);
  const walletQueues = addPush(service);
  addCallbacks(service, addDeadlines(service, walletQueues.cancellations));
  addPromotions(service);
  addConsole(service);
  countCommonFailures(service);
  watchObjectives(service);
  watchCosts(service, service.gateway.api);
  // The stage is a part of the API too. Its settings name routes, which must exist before.
  afterLastChange(service.gateway, service.gateway.stage);

  // Last: the role may invoke the routes that the others have added.
  const walletRole = addWalletRole(service, walletQueues);
  const outputs = {
    BaseUrl: service.gateway.baseUrl,
    PushOutboxQueueUrl: walletQueues.outbox.queueUrl,
    PushCancellationsQueueUrl: walletQueues.cancellations.queueUrl,
    DeliveryReceiptsQueueUrl: walletQueues.receipts.queueUrl,
    WalletRoleArn: walletRole.roleArn,
    DashboardUrl: addDashboard(service),
  };
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
  return { ...service, walletQueues };
}
