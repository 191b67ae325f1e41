import { queueUrl } from './engines/create-queues.ts';
import type { Engines } from './engines/engines.ts';
import type { Partner, Partners } from './partners.ts';
import type { PartnerUrls } from './simulators/partner.ts';
import { readableQueueName } from './template/queues.ts';
import type { ServiceModel } from './template/service-model.ts';

interface Parts {
  readonly port: number;
  readonly partners: Partners;
  readonly partnerUrls: PartnerUrls | undefined;
  readonly retrySpeed: number;
  readonly model: ServiceModel;
  readonly namePrefix: string;
  readonly engines: Engines;
}

/** What `endpoints.json` says: where everything is, and the credentials for it. */
export type Endpoints = ReturnType<typeof describeEndpoints>;

export function describeEndpoints({ partners, partnerUrls, model, engines, ...parts }: Parts) {
  return {
    baseUrl: `http://127.0.0.1:${parts.port}`,
    ...describePartner(partners.main, partnerUrls?.main),
    retrySpeed: parts.retrySpeed,
    /** Begins the names of the table and the queues; empty on engines of its own. */
    namePrefix: parts.namePrefix,
    tableName: model.tables[0]?.name ?? '',
    dynamodb: engines.dynamodbEndpoint,
    sqs: engines.sqsEndpoint,
    /** Readable name -> URL. */
    queues: Object.fromEntries(
      model.queues.map((queue) => [readableQueueName(queue), queueUrl(engines.sqsEndpoint, queue.name)]),
    ),
    other: describePartner(partners.other, partnerUrls?.other),
  };
}

/** How the service knows a partner, and the partner the service. Below the URL are `/callback`, `/received` and `/behave`. */
function describePartner({ callback, secretCreatedAt: _stored, ...login }: Partner, url: string | undefined) {
  const { webhookSecret } = callback;
  return { ...login, ...(url === undefined ? {} : { partner: { url, webhookSecret } }) };
}
