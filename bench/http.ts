import { join } from 'node:path';
import autocannon from 'autocannon';
import type { Endpoints } from '../local/service.ts';
import { partnerStore } from '../shared/partners/partner-store.ts';
import type { Table } from '../shared/table/table.ts';
import type { Figure } from './figure.ts';
import { calledBack, content, firstPhone, phones } from './flows/sending.ts';
import { alternate, compared, middle } from './measure.ts';
import { startChild } from './processes/child.ts';
import { type Rig, type Section, tableAt } from './rig.ts';
import { openCheckIns, recipients } from './warm/seeds.ts';

const rounds = 3;
const roundSeconds = 2;

interface Case {
  readonly what: string;
  readonly route: string;
  /** Four keep two cores busy. */
  readonly connections: number;
  readonly body?: unknown;
  /** As many `ENQUEUED`, or check-ins, are in the response. */
  readonly elements: number;
}

const message = { ...content, ...calledBack };
const checkInList = { route: 'GET /partner/api/place/bar-1/checkins', elements: 5 } as const;
const bulk = { route: 'POST /push/bulk/single', connections: 4 } as const;

const cases: readonly Case[] = [
  { what: 'B1, 5 active check-ins, 4 connections', ...checkInList, connections: 4 },
  { what: 'B1, 5 active check-ins, 16 connections', ...checkInList, connections: 16 },
  {
    what: 'C1, one message, 4 connections',
    route: 'POST /push/delivery',
    connections: 4,
    body: { ...message, msisdn: firstPhone },
    elements: 1,
  },
  ...[10, 100, 1_000].map((elements) => ({
    what: `C2, ${elements.toLocaleString('en')} recipients, 4 connections`,
    ...bulk,
    body: { ...message, msisdn: phones(elements) },
    elements,
  })),
];

function requestOf({ route, body }: Case, { baseUrl, login, secret, offerId }: Endpoints) {
  const [method = '', path = ''] = route.split(' ');
  const authorization = `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;
  return {
    url: `${baseUrl}${path}`,
    method: method === 'GET' ? ('GET' as const) : ('POST' as const),
    headers: { authorization, offerid: offerId, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** A closed loop: each keep-alive connection sends its next request when it has its response. Only 2xx is right. */
async function load(request: ReturnType<typeof requestOf>, connections: number): Promise<autocannon.Result> {
  const result = await autocannon({ ...request, connections, duration: roundSeconds, timeout: 30 });
  if (result.errors + result.non2xx === 0) return result;
  throw new Error(`${request.url}: ${result.errors} errors, ${result.non2xx} refused`);
}

/** More than the bench can send: what is measured is the service, not the agreed rate. */
const pushesPerMinute = 1_000_000_000;

async function seed(table: Table, login: string): Promise<void> {
  const account = await partnerStore(table).account(login);
  if (!account) throw new Error('the service has no partner');
  await partnerStore(table).saveAccount({ ...account, limits: { pushesPerMinute } });
  await openCheckIns(5, () => 'bar-1')(table);
  await recipients(1_000)(table);
}

async function measure(one: Case, service: Endpoints, bare: { baseUrl: string }): Promise<Figure[]> {
  const request = requestOf(one, service);
  // The body is checked once, the status all the time.
  const { url, ...options } = request;
  const text = await (await fetch(url, options)).text();
  if (text.match(/secretCode|ENQUEUED/g)?.length !== one.elements)
    throw new Error(`${one.what}: ${text.slice(0, 500)}`);
  const loadService = () => load(request, one.connections);
  // The first round starts the workers and is not counted.
  await loadService();
  const loadBare = () => load({ ...request, url: bare.baseUrl }, one.connections);
  const found = await alternate(rounds, loadService, loadBare);
  return [
    { what: one.what, unit: 'per s', ...compared('bare server', found, (result) => result.requests.average) },
    { what: `${one.what}, p50`, unit: 'ms', ...middle(found.subject.map(({ latency }) => latency.p50)) },
    { what: `${one.what}, p99`, unit: 'ms', ...middle(found.subject.map(({ latency }) => latency.p99)) },
  ];
}

async function run(rig: Rig): Promise<Figure[]> {
  const bare = await startChild<{ baseUrl: string }>('receiver.ts');
  rig.cleanup.defer(() => bare.stop());
  const service = await startChild<Endpoints>('service.ts', [rig.assemblyDir, join(rig.folder, 'state')]);
  rig.cleanup.defer(() => service.stop());
  const { dynamodb, tableName, login } = service.ready;
  await seed(tableAt(rig, dynamodb, tableName), login);
  const figures: Figure[] = [];
  for (const one of cases) {
    rig.say(one.what);
    figures.push(...(await measure(one, service.ready, bare.ready)));
  }
  return figures;
}

export const httpSection: Section = {
  name: 'http',
  about: 'requests a second through the whole local service: a read, a write, a bulk send',
  run,
};
