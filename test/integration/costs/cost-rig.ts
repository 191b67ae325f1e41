import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inject, vi } from 'vitest';
import { factoryName } from '../../../build/handler-entries.ts';
import { sumConsumed } from '../../../local/engines/consumption.ts';
import { startMeter } from '../../../local/engines/engine-meter.ts';
import { acceptsIdempotencyKey, type Operation } from '../../../shared/platform/http/operation.ts';
import { cpuMsSince, cpuOf } from '../../support/cpu.ts';
import { type Request, respond } from '../../support/http.ts';
import { newFifoQueue, newQueue } from '../../support/queue.ts';
import { newTable } from '../../support/table.ts';
import type { CostCase } from './cost-case.ts';
import { by, offerId, storePartner } from './cost-partner.ts';

/** A call of a handler takes up to half as much CPU, however small, for its calls of the table; on a busy machine all. */
const callMs = 60;
/** Validating, storing and responding may take this many times as long as parsing the larger of the two texts. */
const parsings = 12;

/** The first run is slower than others, since code is compiled; on a busy machine others may be, too. */
const mostRuns = 5;

const parsedForMs = 10;
const mostParses = 100;

const limitMs = { getRemainingTimeInMillis: () => 120_000 };

/** `startSync` -> the file with the factory. */
const files = new Map(
  readdirSync('functions', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [factoryName(file), resolve('functions', file)]),
);

export type Cost = {
  status: number;
  /** What the function gives to Lambda: the body as a text in JSON. */
  responseBytes: number;
  units: { read: number; write: number };
  /** The CPU of the last run, which is the first one within its bound if any is, and of parsing its larger text, in ms. */
  cpuMs: number;
  parseMs: number;
  boundMs: number;
};

/**
 * Runs operations as they are deployed, with the dependencies of their own, on one table. A proxy in front of the
 * engine counts the units. CPU is that of this thread, so the proxy and the engine, which have others, add nothing to
 * it, and nor does waiting for them.
 */
export async function costRig() {
  const table = await newTable();
  const meter = await startMeter({ dynamodb: inject('dynamodbEndpoint'), sqs: inject('sqsEndpoint') });
  const throughMeter = (url: string) => meter.endpoints.sqs + new URL(url).pathname;
  const environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: meter.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: meter.endpoints.sqs,
    TABLE_NAME: table.name,
    PLACES_QUEUE_URL: throughMeter((await newFifoQueue()).url),
    RECEIPTS_QUEUE_URL: throughMeter((await newQueue()).url),
    DEADLINES_QUEUE_URL: throughMeter((await newQueue()).url),
    CANCELLATIONS_QUEUE_URL: throughMeter((await newQueue()).url),
    // The sandbox has more rows to look at than a stage with the real wallet platform.
    WALLET: 'simulated',
    CALLBACK_ADDRESSES: 'loopback-too',
    OWN_ORIGINS: 'https://api.example',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  await storePartner(table, 'bars');

  const newInstance = async (id: string) => {
    const factory = id.charAt(0).toLowerCase() + id.slice(1);
    const file = files.get(factory);
    if (!file) throw new Error(`no file in functions/ makes ${id}`);
    return (await import(file))[factory]();
  };

  return {
    table,
    /** Runs a case until a run is within its bound of CPU, at most five times. */
    measure: async (operation: Operation, { request, cpu }: CostCase): Promise<Cost> => {
      const handler = await newInstance(operation.id);
      const runs: Cost[] = [];
      const isDear = () => runs.every(({ cpuMs, boundMs }) => cpuMs > boundMs);
      while (runs.length < mostRuns && isDear()) {
        const sent = sentRequest(operation, await request(table));
        await meter.taken();
        const [cpuMs, response] = await cpuOf(() => respond(handler, sent.request, limitMs));
        const { read, write } = sumConsumed(await meter.taken());
        const parseMs = parsingOf(sent.text.length > response.body.length ? sent.text : response.body);
        const boundMs = cpu?.ms ?? callMs + parsings * parseMs;
        const responseBytes = Buffer.byteLength(JSON.stringify(response));
        const { statusCode: status } = response;
        runs.push({ status, responseBytes, units: { read, write }, cpuMs, parseMs, boundMs });
      }
      const [first, last] = [runs[0] as Cost, runs.at(-1) as Cost];
      return { ...last, units: first.units };
    },
    stop: async (): Promise<void> => {
      vi.unstubAllEnvs();
      await meter.stop();
    },
  };
}

/**
 * Gzips the body, which lets four times as much in, and adds an Idempotency-Key, which costs two writes. What partners
 * call is called by bars about its first offer, unless the case has another partner or offer.
 */
function sentRequest(operation: Operation, { body, headers, ...others }: Request) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const isOfPartner = operation.caller.authorization === 'basic';
  const request: Request = {
    ...(isOfPartner ? by('bars') : {}),
    ...others,
    ...(body === undefined ? {} : { body: gzipSync(text, { level: 1 }) }),
    headers: {
      ...(isOfPartner ? { offerid: offerId } : {}),
      ...(body === undefined ? {} : { 'content-encoding': 'gzip' }),
      ...(acceptsIdempotencyKey(operation) ? { 'idempotency-key': randomUUID() } : {}),
      ...headers,
    },
  };
  return { text, request };
}

/** The CPU of parsing a text, in ms: of many parses, because the clock of a thread is coarse. A CSV is a list of lines. */
function parsingOf(text: string): number {
  if (text === '') return 0;
  const json = /^[[{]/.test(text) ? text : JSON.stringify(text.split('\r\n'));
  const before = process.threadCpuUsage();
  let parses = 0;
  while (parses < mostParses && cpuMsSince(before) < parsedForMs) {
    JSON.parse(json);
    parses += 1;
  }
  return cpuMsSince(before) / parses;
}
