import { Agent } from 'node:http';
import { join } from 'node:path';
import { type Connection, connect } from '../../local/chaos/connection.ts';
import type { Endpoints } from '../../local/service.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { type BuiltService, onBuiltService } from '../built-service.ts';
import { alternate, median, quantile, spread } from '../measure.ts';
import type { Figure, Section } from '../section.ts';
import { openCheckIns } from '../warm/partner-scenes.ts';
import { content, numbers, registered } from '../warm/push-scenes.ts';
import { connections, type Loaded, load, send, type Target } from './load.ts';
import { startServer } from './server-process.ts';

const rounds = 5;
const roundMs = 2_000;

interface Case {
  readonly what: string;
  readonly route: string;
  readonly body?: unknown;
  readonly isRight: (answer: never) => boolean;
}

const cases: readonly Case[] = [
  {
    what: 'B1, 5 active check-ins',
    route: 'GET /partner/api/place/bar-1/checkins',
    isRight: (answer: unknown[]) => answer.length === 5,
  },
  {
    what: 'C1, one message',
    route: 'POST /push/delivery',
    body: { ...content, msisdn: numbers(1)[0] },
    isRight: (answer: { state: string }) => answer.state === 'ENQUEUED',
  },
  {
    what: 'C2, 1,000 recipients',
    route: 'POST /push/bulk/single',
    body: { ...content, msisdn: numbers(1_000) },
    isRight: (answer: { state: string }[]) =>
      answer.length === 1_000 && answer.every(({ state }) => state === 'ENQUEUED'),
  },
];

const targetOf = ({ route, body }: Case, { login, secret, offerId }: Endpoints) => {
  const [method = '', path = ''] = route.split(' ');
  const headers = {
    authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`,
    offerid: offerId,
    'content-type': 'application/json',
  };
  return (baseUrl: string): Target => ({
    url: `${baseUrl}${path}`,
    method: method === 'GET' ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
};

/** More than the bench can send: what is measured is the service, not the agreed rate. */
const pushesPerMinute = 1_000_000_000;

const seed = async ({ table }: Connection, { login }: Endpoints): Promise<void> => {
  const partners = partnerStore(table);
  const account = await partners.account(login);
  if (!account) throw new Error('the service has no partner');
  await partners.saveAccount({ ...account, limits: { pushesPerMinute } });
  await openCheckIns(table, 5, () => 'bar-1');
  await registered(1_000)(table);
};

const figuresOf = (what: string, subject: readonly Loaded[], baseline: readonly Loaded[]): Figure[] => {
  const rates = subject.map(({ perSecond }) => perSecond);
  const latency = (share: number): Figure => ({
    what: `${what}, p${share * 100}`,
    unit: 'ms',
    median: quantile(
      subject.flatMap(({ latenciesMs }) => latenciesMs),
      share,
    ),
    baseline: {
      what: 'bare server',
      median: quantile(
        baseline.flatMap(({ latenciesMs }) => latenciesMs),
        share,
      ),
    },
  });
  return [
    {
      what: `${what}, ${connections} connections`,
      unit: 'per s',
      median: median(rates),
      spread: spread(rates),
      baseline: { what: 'bare server', median: median(baseline.map(({ perSecond }) => perSecond)) },
    },
    latency(0.5),
    latency(0.99),
  ];
};

const run = async (say: (progress: string) => void, service: BuiltService): Promise<Figure[]> => {
  const { assemblyDir, folder } = service;
  const bare = await startServer<{ baseUrl: string }>('bare-server.ts');
  const local = await startServer<Endpoints>('service-process.ts', [assemblyDir, join(folder, 'state')]);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const connection = connect(local.told);
  try {
    await seed(connection, local.told);
    const figures: Figure[] = [];
    for (const one of cases) {
      say(one.what);
      const to = targetOf(one, local.told);
      const { status, body } = await send(agent, to(local.told.baseUrl));
      if (status !== 200 || !one.isRight(JSON.parse(body) as never)) {
        throw new Error(`${one.what} was answered ${status}: ${body.slice(0, 500)}`);
      }
      const during = (baseUrl: string) => () => load(agent, to(baseUrl), roundMs);
      // The first round starts the workers and is not counted.
      await during(local.told.baseUrl)();
      const found = await alternate(rounds, during(local.told.baseUrl), during(bare.told.baseUrl));
      figures.push(...figuresOf(one.what, found.subject, found.baseline));
    }
    return figures;
  } finally {
    agent.destroy();
    connection.close();
    await Promise.all([local.stop(), bare.stop()]);
  }
};

export const httpSection: Section = {
  name: 'http',
  about: 'requests a second through the whole local service: a read, a write, a bulk send',
  run: (say) => onBuiltService((service) => run(say, service)),
};
