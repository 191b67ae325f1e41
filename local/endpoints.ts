import { queueUrl } from './engines/create-queues.ts';
import type { Engines } from './engines/engines.ts';
import type { RunningPartners } from './start-partners.ts';
import { readableQueueName, type ServiceModel } from './template/service-model.ts';

type Parts = { port: number; partners: RunningPartners; retrySpeed: number; namePrefix: string };

/** The content of `endpoints.json`: all addresses, and the credentials for them. */
export type Endpoints = ReturnType<typeof describeEndpoints>;

export function describeEndpoints(model: ServiceModel, engines: Engines, parts: Parts) {
  return {
    baseUrl: `http://127.0.0.1:${parts.port}`,
    ...parts.partners.main,
    retrySpeed: parts.retrySpeed,
    /** The prefix of the names of the table and the queues. It is empty on the service's own engines. */
    namePrefix: parts.namePrefix,
    tableName: model.tables[0]?.name ?? '',
    ...engines.endpoints,
    /** Readable name -> URL. */
    queues: Object.fromEntries(
      model.queues.map((queue) => [readableQueueName(queue), queueUrl(engines.endpoints.sqs, queue.name)]),
    ),
    other: parts.partners.other,
  };
}
