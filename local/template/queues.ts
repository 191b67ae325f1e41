import * as z from 'zod/mini';
import type { Assembly } from './read-assembly.ts';
import { readResources } from './read-properties.ts';

const schema = z.strictObject({
  QueueName: z.string(),
  FifoQueue: z.optional(z.literal(true)),
  DeduplicationScope: z.optional(z.string()),
  FifoThroughputLimit: z.optional(z.string()),
  MessageRetentionPeriod: z.optional(z.number()),
  VisibilityTimeout: z._default(z.number(), 30),
  RedrivePolicy: z.optional(z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })),
});

export type QueueModel = ReturnType<typeof readQueues>[number];

export function readQueues(assembly: Assembly) {
  return readResources(assembly, 'AWS::SQS::Queue', { schema, ignored: [] }).map(({ properties }) => {
    const { QueueName, ...attributes } = properties;
    const texts = Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
    return {
      name: QueueName,
      visibilityTimeoutSeconds: properties.VisibilityTimeout,
      /** As `CreateQueue` takes them: all values are texts. */
      attributes: Object.fromEntries(texts) as Record<string, string>,
    };
  });
}

/**
 * The name people use, without the part that tells stages apart in one account:
 * `partner-integration-dev-places-sync.fifo` -> `places-sync.fifo`.
 */
export function readableQueueName({ name }: QueueModel): string {
  return name.replace(/^(?:.*-)?(?:dev|sandbox|staging|prod)-/, '');
}
