import { queueUrl } from './engines/create-queues.ts';
import type { Engines } from './engines/engines.ts';
import type { Partner, Partners } from './partners.ts';
import type { Simulators } from './simulators/simulators.ts';
import { readableQueueName } from './template/queues.ts';
import type { ServiceModel } from './template/service-model.ts';

/** How the service knows a partner, and the partner the service. */
type Login = Omit<Partner, 'callback'>;

/** A simulated partner: below the URL are `/callback`, `/received` and `/behave`. */
interface CallbackReceiver {
  readonly url: string;
  readonly webhookSecret: string;
}

/** What `endpoints.json` says: where everything is, and the credentials for it. */
export interface Endpoints extends Login {
  readonly baseUrl: string;
  readonly tableName: string;
  /** Begins the names of the table and the queues; empty on engines of its own. */
  readonly namePrefix: string;
  readonly dynamodb: string;
  readonly sqs: string;
  /** Readable name -> URL. */
  readonly queues: Readonly<Record<string, string>>;
  readonly retrySpeed: number;
  /** Absent, as the wallet is, without simulators. */
  readonly partner?: CallbackReceiver;
  /** The simulated wallet platform: below the URL is `/devices`. */
  readonly wallet?: { readonly url: string };
  readonly other: Login & { readonly partner?: CallbackReceiver };
}

function describePartner({ callback, ...login }: Partner, url: string | undefined) {
  return {
    ...login,
    ...(url === undefined ? {} : { partner: { url, webhookSecret: callback.webhookSecret } }),
  };
}

function describeEngines({ tables, queues }: ServiceModel, { dynamodbEndpoint, sqsEndpoint }: Engines) {
  return {
    tableName: tables[0]?.name ?? '',
    dynamodb: dynamodbEndpoint,
    sqs: sqsEndpoint,
    queues: Object.fromEntries(
      queues.map((queue) => [readableQueueName(queue), queueUrl(sqsEndpoint, queue.name)]),
    ),
  };
}

interface Parts {
  readonly port: number;
  readonly partners: Partners;
  readonly simulators: Simulators | undefined;
  readonly retrySpeed: number;
  readonly model: ServiceModel;
  readonly namePrefix: string;
  readonly engines: Engines;
}

export function describeEndpoints(parts: Parts): Endpoints {
  const { partners, simulators } = parts;
  return {
    baseUrl: `http://127.0.0.1:${parts.port}`,
    ...describePartner(partners.main, simulators?.partnerUrls.main),
    ...(simulators ? { wallet: { url: simulators.walletUrl } } : {}),
    retrySpeed: parts.retrySpeed,
    namePrefix: parts.namePrefix,
    ...describeEngines(parts.model, parts.engines),
    other: describePartner(partners.other, simulators?.partnerUrls.other),
  };
}
