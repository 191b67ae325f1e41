import type { Stack } from 'aws-cdk-lib';
import type { CfnStage, HttpApi, IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Operation, Route } from '../shared/http/operation.ts';
import type { StageConfig } from './config.ts';
import type { Rollouts } from './constructs/rollouts.ts';

/** What every part of the service is built from. Functions stand directly under the stack. */
export interface Service {
  readonly stack: Stack;
  readonly config: StageConfig;
  readonly table: Table;
  readonly alarmTopic: ITopic;
  /** The folder that holds the code of a function (`StartSync`). */
  readonly codeFolder: (functionId: string) => string;
  /** What shifts traffic to new versions; none in a stage that deploys in place. */
  readonly rollouts?: Rollouts;
}

export interface Gateway {
  readonly api: HttpApi;
  readonly stage: CfnStage;
  /** Partners by the authorizer, the wallet platform by IAM. */
  readonly authorizers: Readonly<Record<Operation['caller'], IHttpRouteAuthorizer>>;
  /** Every route made for the wallet platform: what its role may invoke. */
  readonly walletRoutes: Route[];
  /** Where callers find the routes, without a slash at its end. */
  readonly baseUrl: string;
}

export interface HttpService extends Service {
  readonly gateway: Gateway;
}
