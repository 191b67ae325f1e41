import { join } from 'node:path';
import type { Endpoints } from '../../local/service.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { type Connection, connect } from '../../test/simulation/chaos/connection.ts';
import { type BuiltService, onBuiltService } from '../built-service.ts';
import { alternate, median, middle, quantile } from '../measure.ts';
import type { Figure, Section } from '../section.ts';
import { startServer } from '../server-process.ts';
import { openCheckIns } from '../warm/partner-scenes.ts';
import { content, numbers, registered } from '../warm/push-scenes.ts';
import { type Loaded, load, type Target } from './load.ts';

const rounds = 3;
const roundSeconds = 2;

interface Case {
  readonly what: string;
  readonly route: string;
  readonly connections: number;
  readonly body?: unknown;
  readonly isRight: (response: never) => boolean;
  /** Which of its figures is one of several sizes of something. */
  readonly series?: NonNullable<Figure['series']> & { readonly figure: 'rate' | 'p50' };
}

/** As many requests under way as keep two cores busy. */
const usual = 4;

function read(connections: number): Case {
  return {
    what: 'B1, 5 active check-ins',
    route: 'GET /partner/api/place/bar-1/checkins',
    connections,
    isRight: (response: unknown[]) => response.length === 5,
    series: { of: 'B1 a second, by connections', size: connections, figure: 'rate' },
  };
}

const write: Case = {
  what: 'C1, one message',
  route: 'POST /push/delivery',
  connections: usual,
  body: { ...content, msisdn: numbers(1)[0] },
  isRight: (response: { state: string }) => response.state === 'ENQUEUED',
};

function bulk(size: number): Case {
  return {
    what: `C2, ${size.toLocaleString('en')} recipients`,
    route: 'POST /push/bulk/single',
    connections: usual,
    body: { ...content, msisdn: numbers(size) },
    isRight: (response: { state: string }[]) =>
      response.length === size && response.every(({ state }) => state === 'ENQUEUED'),
    series: { of: 'C2, p50, by recipients', size, figure: 'p50' },
  };
}

const cases: readonly Case[] = [...[1, usual, 16].map(read), write, ...[10, 100, 1_000].map(bulk)];

function targetOf({ route, body }: Case, { login, secret, offerId }: Endpoints) {
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
}

/** More than the bench can send: what is measured is the service, not the agreed rate. */
const pushesPerMinute = 1_000_000_000;

async function seed({ table }: Connection, { login }: Endpoints): Promise<void> {
  const partners = partnerStore(table);
  const account = await partners.account(login);
  if (!account) throw new Error('the service has no partner');
  await partners.saveAccount({ ...account, limits: { pushesPerMinute } });
  await openCheckIns(table, 5, () => 'bar-1');
  await registered(1_000)(table);
}

function figuresOf(
  { what, connections, series }: Case,
  subject: readonly Loaded[],
  baseline: readonly Loaded[],
): Figure[] {
  const named = `${what}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  const rates = subject.map(({ perSecond }) => perSecond);
  const seriesOf = (figure: 'rate' | 'p50') => (series?.figure === figure ? { series } : {});
  const latency = (share: number): Omit<Figure, 'what'> => ({
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
      what: named,
      unit: 'per s',
      ...middle(rates),
      baseline: { what: 'bare server', median: median(baseline.map(({ perSecond }) => perSecond)) },
      ...seriesOf('rate'),
    },
    { what: `${named}, p50`, ...latency(0.5), ...seriesOf('p50') },
    { what: `${named}, p99`, ...latency(0.99) },
  ];
}

/** What is timed must be right: its status is looked at all the time, its body once, before. */
async function assertRight({ what, isRight }: Case, { url, method, headers, body }: Target) {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (response.status !== 200 || !isRight(JSON.parse(text) as never)) {
    throw new Error(`${what} was answered ${response.status}: ${text.slice(0, 500)}`);
  }
}

async function run(say: (progress: string) => void, service: BuiltService): Promise<Figure[]> {
  const { assemblyDir, folder } = service;
  const running: { stop(): Promise<void> | void }[] = [];
  const start = async <Told>(...how: Parameters<typeof startServer>): Promise<Told> => {
    const server = await startServer<Told>(...how);
    running.push(server);
    return server.told;
  };
  try {
    const bare = await start<{ baseUrl: string }>(new URL('./bare-server.ts', import.meta.url));
    const local = await start<Endpoints>(new URL('./service-process.ts', import.meta.url), [
      assemblyDir,
      join(folder, 'state'),
    ]);
    const connection = connect(local);
    running.push({ stop: () => connection.close() });
    await seed(connection, local);
    const figures: Figure[] = [];
    for (const one of cases) {
      say(`${one.what}, ${one.connections} at once`);
      const to = targetOf(one, local);
      await assertRight(one, to(local.baseUrl));
      const during = (baseUrl: string) => () => load(to(baseUrl), one.connections, roundSeconds);
      // The first round starts the workers and is not counted.
      await during(local.baseUrl)();
      const found = await alternate(rounds, during(local.baseUrl), during(bare.baseUrl));
      figures.push(...figuresOf(one, found.subject, found.baseline));
    }
    return figures;
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

export const httpSection: Section = {
  name: 'http',
  about: 'requests a second through the whole local service: a read, a write, a bulk send',
  run: (say) => onBuiltService((service) => run(say, service)),
};
