import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Service } from '../service.ts';

/** A log group under a fixed name, with the stage's retention. */
export function logGroup({ stack, config }: Service, id: string, logGroupName: string): LogGroup {
  return new LogGroup(stack, id, {
    logGroupName,
    retention: config.logs.retentionDays,
    // Not RETAIN: a first deployment that fails would leave the log group behind, and the second could not create it.
    removalPolicy: config.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
}
