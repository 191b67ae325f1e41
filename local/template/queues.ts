import * as z from 'zod/mini';
import { queueName } from './physical-names.ts';
import { readProperties, resourcesOf } from './resolved-resource.ts';
import type { Assembly } from './resource.ts';

export interface QueueModel {
  readonly name: string;
  readonly logicalId: string;
  readonly visibilityTimeoutSeconds: number;
  /** As `CreateQueue` takes them: all values are texts. */
  readonly attributes: Readonly<Record<string, string>>;
}

const queueProperties = z.object({
  FifoQueue: z.optional(z.boolean()),
  ContentBasedDeduplication: z.optional(z.boolean()),
  DeduplicationScope: z.optional(z.string()),
  FifoThroughputLimit: z.optional(z.string()),
  DelaySeconds: z.optional(z.number()),
  MaximumMessageSize: z.optional(z.number()),
  MessageRetentionPeriod: z.optional(z.number()),
  ReceiveMessageWaitTimeSeconds: z.optional(z.number()),
  VisibilityTimeout: z.optional(z.number()),
  RedrivePolicy: z.optional(
    z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number() }),
  ),
});

export function readQueues(assembly: Assembly): QueueModel[] {
  return resourcesOf(assembly, 'AWS::SQS::Queue').map((resolved) => {
    const { RedrivePolicy, ...plain } = readProperties(queueProperties, resolved);
    const attributes: Record<string, string> = {};
    for (const [name, value] of Object.entries(plain))
      if (value !== undefined) attributes[name] = String(value);
    if (RedrivePolicy) attributes['RedrivePolicy'] = JSON.stringify(RedrivePolicy);
    return {
      name: queueName(resolved.resource, () => (resolved.properties as Record<string, unknown>)['QueueName']),
      logicalId: resolved.resource.logicalId,
      visibilityTimeoutSeconds: plain.VisibilityTimeout ?? 30,
      attributes,
    };
  });
}

/**
 * The name people use: without the part that tells stages apart in one account
 * (`partner-integration-dev-places-sync.fifo` -> `places-sync.fifo`), or the logical id where none was given.
 */
export function readableQueueName(queue: QueueModel): string {
  return queue.name.includes(`-${queue.logicalId}`)
    ? queue.logicalId.replace(/[0-9A-F]{8}$/, '')
    : queue.name.replace(/^(?:.*-)?(?:local|dev|staging|prod)-/, '');
}
