import type { Stack } from 'aws-cdk-lib';
import type { CfnStage, HttpApi, HttpMethod, IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { StageConfig } from './config.ts';
import type { Rollouts } from './constructs/rollouts.ts';

/** What every part of the service is built from. Functions stand directly under the stack. */
export interface Service {
  readonly stack: Stack;
  readonly config: StageConfig;
  readonly table: Table;
  readonly alarmTopic: ITopic;
  /** Folder that holds the code of a bundle (`places/start-sync`). */
  readonly codeFolder: (bundle: string) => string;
  /** What shifts traffic to new versions; none in a stage that deploys in place. */
  readonly rollouts?: Rollouts;
}

/** Who may call a route: partners by the authorizer, the wallet platform by IAM. */
export type Caller = 'partner' | 'wallet';

export interface Gateway {
  readonly api: HttpApi;
  readonly stage: CfnStage;
  readonly authorizers: Readonly<Record<Caller, IHttpRouteAuthorizer>>;
  /** Every route made for the wallet platform: what its role may invoke. */
  readonly walletRoutes: { readonly method: HttpMethod; readonly path: string }[];
  /** Where callers find the routes, without a slash at its end. */
  readonly baseUrl: string;
}

export interface HttpService extends Service {
  readonly gateway: Gateway;
}
