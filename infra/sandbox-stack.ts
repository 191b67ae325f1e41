import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addSandbox } from './sandbox.ts';
import { inStack } from './self-service-stack.ts';
import type { ServiceStack } from './service-stack.ts';

/** The simulated wallet platform of a stage that has no real one. */
export class SandboxStack extends Stack {
  constructor(scope: Construct, id: string, { service, walletQueues }: ServiceStack) {
    super(scope, id, {
      description: `Partner integration service, ${service.config.stage}: the simulated wallet platform`,
    });
    addSandbox(inStack(this, service, 'sandbox'), walletQueues);
  }
}
