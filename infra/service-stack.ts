import { Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { addAlarmTopic } from './alarm-topic.ts';
import { addCallbacks } from './callbacks.ts';
import { addCheckIns } from './check-ins.ts';
import type { StageConfig } from './config.ts';
import { addGateway } from './gateway.ts';
import { addPlaces } from './places.ts';
import { addPromotions } from './promotions.ts';
import { addPush } from './push.ts';
import type { Service } from './service.ts';
import { watchTable } from './table-alarm.ts';
import { addWallet } from './wallet.ts';

export interface ServiceStackProps {
  readonly config: StageConfig;
  readonly table: Table;
  readonly codeFolder: (bundle: string) => string;
}

/** Everything that can be deployed again at any time: gateway, functions, queues, alarms. */
export class ServiceStack extends Stack {
  readonly alarmTopic: Topic;

  constructor(scope: Construct, id: string, { config, table, codeFolder }: ServiceStackProps) {
    super(scope, id, { description: `Partner integration service, ${config.stage}: the service` });
    this.alarmTopic = addAlarmTopic(this, config);
    const service: Service = { stack: this, config, table, alarmTopic: this.alarmTopic, codeFolder };
    watchTable(service);

    const withGateway = { ...service, gateway: addGateway(service) };
    addPlaces(withGateway);
    addCheckIns(withGateway);
    addPush(withGateway);
    addCallbacks(service);
    addPromotions(withGateway);
    addWallet(withGateway);
  }
}
