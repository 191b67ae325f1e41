import { queueUrl } from './engines/create-queues.ts';
import type { Engines } from './engines/engines.ts';
import { partnerUrl } from './simulators/partner.ts';
import type { RunningPartners } from './start-partners.ts';
import { readableQueueName, type ServiceModel } from './template/service-model.ts';
import { npmRun } from './typed-command.ts';

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
    ...engines.endpoints,
    /** Readable name -> URL. */
    queues: Object.fromEntries(
      model.queues.map((queue) => [readableQueueName(queue), queueUrl(engines.endpoints.sqs, queue.name)]),
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
  const whyNoSecret = whyNoSecretOf(partners[name], stateDir);
  return {
    login,
    /** Empty when the one in this folder is not valid any more: `whyNoSecret` is a sentence then. */
    secret: whyNoSecret === undefined ? secret : '',
    ...(whyNoSecret === undefined ? {} : { whyNoSecret }),
    partnerId,
    offerId,
    ...(simulatorPort === undefined
      ? {}
      : { partner: { url: partnerUrl(name, simulatorPort), webhookSecret } }),
  };
}

/** Says what has made the secret useless, with the command that helps. */
function whyNoSecretOf({ login, partnerId, offerId, lost }: RunningPartners['main'], stateDir: string) {
  if (!lost) return undefined;
  const created = npmRun('partner', `create ${partnerId} --login ${login} --offer ${offerId}`, stateDir);
  if (lost === 'partner') return `Partner ${partnerId} was erased. This creates it again: ${created}`;
  const what =
    lost === 'key' ? `The key ${login} was deleted` : `The secret of ${login} in this folder has ended`;
  return `${what}. This shows its partner: ${npmRun('partner', `show ${partnerId}`, stateDir)}`;
}
