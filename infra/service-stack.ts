import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addAlarmTopics } from './alarm-topic.ts';
import { addCallbacks } from './callbacks.ts';
import { addCheckIns } from './check-ins.ts';
import { stageAfterRoutes } from './constructs/gateway-route.ts';
import { NamedStack } from './constructs/named-stack.ts';
import { makeRollouts, rollbackAlarms } from './constructs/rollouts.ts';
import { addDashboard } from './dashboard/add-dashboard.ts';
import { addDeadlines } from './deadlines.ts';
import { addGateway } from './gateway.ts';
import { watchObjectives } from './objectives.ts';
import { addPlaces } from './places.ts';
import { addPromotions } from './promotions.ts';
import { addPush, type WalletQueues } from './push.ts';
import type { HttpService, Service } from './service.ts';
import { watchTable } from './table-alarms.ts';
import { addWallet } from './wallet.ts';
import { addWalletRole } from './wallet-role.ts';

export type ServiceStackProps = Pick<Service, 'config' | 'table' | 'codeFolder'>;

/** Everything that can be deployed at any time: gateway, functions, queues, alarms. */
export class ServiceStack extends NamedStack {
  /** The parts that other stacks need for routes of this API. */
  readonly service: HttpService;
  readonly walletQueues: WalletQueues;

  constructor(scope: Construct, id: string, { config, table, codeFolder }: ServiceStackProps) {
    super(scope, id, { description: `Partner integration service, ${config.stage}: the service` });
    const alarmTopics = addAlarmTopics(this, config);
    const inPlace: Service = { stack: this, config, table, alarmTopics, codeFolder };
    const alarms = rollbackAlarms(inPlace);
    const rollouts = makeRollouts(this, config, { applicationName: config.namePrefix, alarms });
    const service: Service = { ...inPlace, ...rollouts };
    watchTable(service);

    const withGateway = { ...service, gateway: addGateway(service) };
    this.service = withGateway;
    addPlaces(withGateway);
    addCheckIns(withGateway);
    const walletQueues = addPush(withGateway);
    this.walletQueues = walletQueues;
    addCallbacks(service, addDeadlines(service));
    addPromotions(withGateway);
    addWallet(withGateway);
    watchObjectives(withGateway);
    stageAfterRoutes(withGateway.gateway);

    // Last: the role may invoke the routes that the others have added.
    const walletRole = addWalletRole(withGateway, walletQueues);
    const outputs = {
      BaseUrl: withGateway.gateway.baseUrl,
      PushOutboxQueueUrl: walletQueues.outbox.queueUrl,
      DeliveryReceiptsQueueUrl: walletQueues.receipts.queueUrl,
      WalletRoleArn: walletRole.roleArn,
      DashboardUrl: addDashboard(withGateway),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
