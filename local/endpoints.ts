import { queueUrl } from './engines/create-queues.ts';
import type { Engines } from './engines/engines.ts';
import { changeNote, noteText } from './partner-notes.ts';
import { partnerUrl } from './simulators/partner.ts';
import type { RunningPartners } from './start-partners.ts';
import { readableQueueName, type ServiceModel } from './template/service-model.ts';

interface Parts {
  readonly port: number;
  readonly partners: RunningPartners;
  readonly stateDir: string;
  readonly retrySpeed: number;
  readonly model: ServiceModel;
  readonly namePrefix: string;
  readonly engines: Engines;
}

/** The content of `endpoints.json`: all addresses, and the credentials for them. */
export type Endpoints = ReturnType<typeof describeEndpoints>;

export function describeEndpoints({ model, engines, ...parts }: Parts) {
  return {
    baseUrl: `http://127.0.0.1:${parts.port}`,
    ...describePartner('main', parts),
    retrySpeed: parts.retrySpeed,
    /** The prefix of the names of the table and the queues. It is empty on the service's own engines. */
    namePrefix: parts.namePrefix,
    tableName: model.tables[0]?.name ?? '',
    dynamodb: engines.dynamodbEndpoint,
    sqs: engines.sqsEndpoint,
    /** Readable name -> URL. */
    queues: Object.fromEntries(
      model.queues.map((queue) => [readableQueueName(queue), queueUrl(engines.sqsEndpoint, queue.name)]),
    ),
    other: describePartner('other', parts),
  };
}

/** The credentials of a partner, and where its simulator runs (`/callback`, `/received`, `/behave` below the URL). */
function describePartner(
  name: 'main' | 'other',
  { partners, stateDir }: Pick<Parts, 'partners' | 'stateDir'>,
) {
  const { login, secret, partnerId, offerId, webhookSecret } = partners[name];
  const { simulatorPort } = partners;
  const lost = partners[name].standing?.lost && changeNote(name, partners, stateDir);
  return {
    login,
    /** Empty when the one in this folder is not valid any more: `whyNoSecret` is a sentence then. */
    secret: lost ? '' : secret,
    ...(lost ? { whyNoSecret: noteText(lost) } : {}),
    partnerId,
    offerId,
    ...(simulatorPort === undefined
      ? {}
      : { partner: { url: partnerUrl(name, simulatorPort), webhookSecret } }),
  };
}
