import type { Stack } from 'aws-cdk-lib';
import type { CfnStage, HttpApi, HttpRoute, IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILambdaDeploymentConfig, LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Operation, Route } from '../shared/platform/http/operation.ts';
import type { AlarmTopics } from './alarm-topic.ts';
import type { StageConfig } from './config.ts';
import type { TableInUse } from './table-in-use.ts';

/** Everything that the parts of the service are built from. Functions are direct children of the stack. */
export type Service = {
  stack: Stack;
  config: StageConfig;
  table: TableInUse;
  alarmTopics: AlarmTopics;
  /** The folder that holds the code of a function (`StartSync`). */
  codeFolder: (functionId: string) => string;
  /** Shifts calls to new versions. Left out in a stage that deploys in place. */
  rollouts?: Rollouts;
};

/** The resources that the deployment groups of all functions share. */
export type Rollouts = {
  application: LambdaApplication;
  role: Role;
  steps: ILambdaDeploymentConfig;
  /** Any of these rolls a deployment back. */
  alarms: readonly IAlarm[];
};

export type Gateway = {
  api: HttpApi;
  stage: CfnStage;
  /** The authorizer checks partners, IAM the wallet platform, and operations of receivers check their requests. */
  authorizers: Readonly<Record<Operation['caller']['authorization'], IHttpRouteAuthorizer>>;
  /** All routes of the API, in the order in which they are created. */
  routes: HttpRoute[];
  /** The routes of the wallet platform, which its role may invoke. */
  walletRoutes: Route[];
  /** The URL of the API, without a slash at its end. */
  baseUrl: string;
  /** All URLs at which the API responds. */
  origins: readonly string[];
};

export type HttpService = Service & {
  gateway: Gateway;
};
