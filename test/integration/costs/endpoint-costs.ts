import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../../../local/http/loopback.ts';
import type { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { AlertKind } from '../../../shared/events/event.ts';
import { epochSeconds } from '../../../shared/platform/runtime/clock.ts';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { callbacksPartition, listedShardKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { buckets } from '../../../shared/platform/table/row-keys/row-key.ts';
import { addEvent } from '../../support/add-event.ts';
import type { TestTable } from '../../support/table.ts';
import { type CostCases, count, once, padded, worst } from './cost-case.ts';
import { by, storePartner } from './cost-partner.ts';

/** Listens until the process ends, and responds to everything with a failure whose text goes on for ever. */
async function endlessServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(500, { 'content-type': 'text/plain' });
    const more = () => {
      while (!response.destroyed && response.write('😀'.repeat(4_000)));
    };
    response.on('drain', more);
    more();
  });
  server.unref();
  return `http://127.0.0.1:${await listen(server, 0)}/`;
}

const longestUrl = `http://127.0.0.1:2001/${'u'.repeat(2_026)}`;

function secret(createdAt: number) {
  return { secret: `whsec_${'YWFh'.repeat(11)}`, createdAt, madeBy: randomUUID() };
}

const basic = { login: 'l'.repeat(128), secret: '😀'.repeat(512) };

/** Stores a partner, named at random unless it has a name, with the largest settings that an endpoint has. */
export async function storeEndpoint(table: TestTable, change: Partial<Endpoint> = {}) {
  const partnerId = change.partnerId ?? randomUUID();
  await storePartner(table, partnerId);
  await endpointStore(table).save({
    partnerId,
    url: longestUrl,
    basic,
    signingSecrets: [secret(1)],
    timeoutMs: 5_000,
    status: 'enabled',
    ...change,
  });
  return by(partnerId);
}

/** As many callbacks as are counted in each shard, and one more, and as many notices as are shown. */
const busy = once(async (table) => {
  const partnerId = 'busy'.padEnd(64, '-');
  const request = await storeEndpoint(table, { partnerId, signingSecrets: [secret(1), secret(2)] });
  const expiresAt = epochSeconds(Date.now() + 3_600_000);
  const rows = (['waiting', 'skipped'] as const).flatMap((status) =>
    buckets.flatMap((bucket) =>
      count(101).map((changedAt) => ({
        pk: callbacksPartition(partnerId, bucket),
        sk: `${randomUUID()}#DELIVERED`,
        listedShard: listedShardKey(partnerId, bucket, status),
        changedAt,
        expiresAt,
      })),
    ),
  );
  await writeAll(
    table,
    rows.map((put) => ({ put })),
  );
  for (const n of count(100)) {
    const event = {
      kind: 'endpoint.changed' as const,
      atMs: Date.now() + n,
      by: 'l'.repeat(128),
      data: { what: 'address, HTTP Basic, timeout, log changed' },
    };
    await addEvent(table, partnerId, event);
  }
  return request;
});

/** A disabled endpoint whose circuit is open has a row more. */
async function broken(table: TestTable) {
  const request = await storeEndpoint(table, {
    status: 'disabled',
    disabledReason: 'answered 410',
    disabledAt: 1,
  });
  const circuit = { failures: 9, openings: 9, failingSince: 1, openUntil: Date.now() + 60_000 };
  await endpointStore(table).stepCircuit(request.partner.partnerId, () => circuit, { nowMs: Date.now() });
  return request;
}

/** A partner whose endpoint of alerts has the largest settings; broken, its circuit is open. */
async function alerts(table: TestTable, isBroken: boolean, url = longestUrl) {
  const request = await storeEndpoint(table);
  const id = `${request.partner.partnerId}#alerts`;
  const signingSecrets = [secret(1), secret(2)];
  const kinds = AlertKind.options;
  const settings = { partnerId: id, url, signingSecrets, kinds, timeoutMs: 5_000 };
  await endpointStore(table).save({ ...settings, status: 'enabled' });
  const circuit = { failures: 9, openings: 9, failingSince: 1, openUntil: Date.now() + 60_000 };
  if (isBroken) await endpointStore(table).stepCircuit(id, () => circuit, { nowMs: Date.now() });
  return request;
}

const server = once(() => endlessServer());

export const endpointCosts: CostCases = {
  GetEndpoint: [
    worst(
      'more callbacks than are counted, and as many notices as are shown',
      { read: 57, cpu: { ms: 150, because: 'it reads 1,616 entries of the index by 16 calls' } },
      busy,
    ),
  ],
  PutEndpoint: [
    worst('another address, which closes a circuit', { read: 4, write: 19 }, async (table) => ({
      ...(await broken(table)),
      body: padded({
        url: longestUrl.replace(':2001', ':2002'),
        basic: { login: basic.login, password: basic.secret },
        timeoutSeconds: 30,
        log: 'all',
        maxPerSecond: 1_000,
        states: ['DELIVERED', 'OPENED', 'EXPIRED'],
      }),
    })),
  ],
  EnableEndpoint: [worst('an open circuit', { read: 4, write: 19 }, broken)],
  DisableEndpoint: [worst('the largest settings', { read: 4, write: 15 }, (table) => storeEndpoint(table))],
  RotateEndpointSecret: [
    worst('the largest settings', { read: 4, write: 15 }, (table) => storeEndpoint(table)),
  ],
  RetireEndpointSecret: [
    worst('the largest settings', { read: 4, write: 15 }, (table) =>
      storeEndpoint(table, { signingSecrets: [secret(1), secret(2)] }),
    ),
  ],
  GetAlerts: [worst('an open circuit', { read: 3 }, (table) => alerts(table, true))],
  PutAlerts: [
    worst('another address, which closes a circuit', { read: 3, write: 15 }, async (table) => ({
      ...(await alerts(table, true)),
      body: padded({ url: longestUrl.replace(':2001', ':2002'), kinds: AlertKind.options }),
    })),
  ],
  DeleteAlerts: [worst('an open circuit', { read: 2, write: 13 }, (table) => alerts(table, true))],
  TestAlerts: [
    worst(
      'a server whose response has no end',
      { read: 3, write: 3, cpu: { ms: 100, because: 'the server runs in this thread, too' } },
      async (table) => alerts(table, false, await server(table)),
    ),
  ],
  TestCallback: [
    worst(
      'a server whose response has no end',
      { read: 3, write: 3, cpu: { ms: 100, because: 'the server runs in this thread, too' } },
      async (table) => ({
        ...(await storeEndpoint(table, { url: await server(table), signingSecrets: [secret(1), secret(2)] })),
        body: padded({ state: 'DELIVERED' }),
      }),
    ),
  ],
  ExamineEndpoint: [
    worst(
      'a server whose responses have no end',
      { read: 3, write: 8, cpu: { ms: 300, because: 'the server runs in this thread, too' } },
      async (table) =>
        storeEndpoint(table, { url: await server(table), signingSecrets: [secret(1), secret(2)] }),
    ),
  ],
};
