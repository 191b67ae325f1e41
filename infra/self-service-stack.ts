import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { makeRollouts } from './constructs/rollouts.ts';
import { addSelfService } from './self-service.ts';
import type { HttpService } from './service.ts';

/**
 * Routes of the service's API in a stack of their own: CloudFormation allows 500 resources a stack, and an endpoint
 * takes eleven.
 */
export class SelfServiceStack extends Stack {
  constructor(scope: Construct, id: string, main: HttpService) {
    const { config } = main;
    super(scope, id, {
      description: `Partner integration service, ${config.stage}: self-service of partners`,
    });
    addSelfService(inStack(this, main, 'self-service'));
  }
}

/** A stack for further parts of the service, with its own deployment groups. */
export function inStack(stack: Stack, main: HttpService, name: string): HttpService {
  const { rollouts: mainRollouts, ...shared } = main;
  const applicationName = `${main.config.namePrefix}-${name}`;
  const alarms = mainRollouts?.alarms ?? [];
  const rollouts = makeRollouts(stack, main.config, { applicationName, alarms });
  return { ...shared, stack, ...(rollouts ? { rollouts } : {}) };
}
