import { queueUrl } from '../engines/create-queues.ts';
import type { Engines } from '../engines/engines.ts';
import type { Log } from '../log.ts';
import type { Partners } from '../partners.ts';
import { StartUpError } from '../start-up-error.ts';
import { type QueueModel, readableQueueName } from '../template/queues.ts';
import { startPartnerSimulator } from './partner.ts';
import type { WalletBehavior } from './receipt-waves.ts';
import { startWalletSimulator } from './wallet.ts';

/** How the simulated wallet platform behaves; what is left out is as usual. */
export type SimulatorOptions = Partial<WalletBehavior>;

interface SimulatorParts {
  readonly options: SimulatorOptions;
  /** Of the service. Theirs are far from it, so that services side by side do not take each other's. */
  readonly port: number;
  readonly partners: Partners;
  readonly queues: readonly QueueModel[];
  readonly engines: Pick<Engines, 'sqs' | 'sqsEndpoint'>;
  readonly log: Log;
}

export type Simulators = Awaited<ReturnType<typeof startSimulators>>;

function portBeside(port: number, distance: number): number {
  return port === 0 || port + distance > 65_535 ? 0 : port + distance;
}

/** Starts what stands outside the service: both partners and the wallet platform. */
export async function startSimulators(parts: SimulatorParts) {
  const { options, port, partners, queues, engines, log } = parts;
  const urlOf = (wanted: string): string => {
    const queue = queues.find((candidate) => readableQueueName(candidate) === wanted);
    if (!queue) {
      throw new StartUpError(
        `The template has no queue "${wanted}" for the simulated wallet platform: start with --no-simulators.`,
      );
    }
    return queueUrl(engines.sqsEndpoint, queue.name);
  };
  const urls = { outboxUrl: urlOf('push-outbox'), receiptsUrl: urlOf('delivery-receipts') };
  const partner = await startPartnerSimulator(portBeside(port, 10_000), partners);
  const wallet = await startWalletSimulator({
    port: portBeside(port, 20_000),
    sqs: engines.sqs,
    ...urls,
    behavior: options,
    log,
  });
  return {
    partnerUrls: partner.urls,
    /** Where they take callbacks. */
    callbackUrls: {
      main: `${partner.urls.main}/callback`,
      other: `${partner.urls.other}/callback`,
    },
    walletUrl: wallet.url,
    stop: async () => {
      await Promise.all([partner.stop(), wallet.stop()]);
    },
  };
}
