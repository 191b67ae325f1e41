import { createServer } from 'node:http';
import { close, listen } from '../local/http/loopback.ts';
import { functionNamed } from '../local/template/service-model.ts';
import { firstMessage } from '../shared/callbacks/callback-message.ts';
import { endpointStore } from '../shared/callbacks/endpoint/endpoint-store.ts';
import type { Table } from '../shared/platform/table/table.ts';
import { bundleBare } from './bare/bundle-bare.ts';
import type { Figure } from './figure.ts';
import { compared, measure, type Rounds } from './measure.ts';
import { type StartedFunction, startFunction } from './processes/start-function.ts';
import { type EngineRig, type Section, withEngines } from './rig.ts';

const batchSize = 10;
/** A bulk send puts this many callbacks into a message. */
const callbacksPerMessage = 40;
const callbacksPerBatch = batchSize * callbacksPerMessage;
const batches = 3;
const rounds = 9;
/** Rounds of 1,200 callbacks before measuring. With fewer, V8 is still optimizing the function. */
const warmUps = 12;

/** A message of each batch is for each partner. */
const partners = Array.from({ length: batchSize }, (_, n) => `partner-${n}`);

/** Gives each partner an endpoint at the receiver. */
async function saveEndpoints(table: Table, url: string): Promise<void> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  for (const partnerId of partners) {
    await endpointStore(table).save({
      partnerId,
      url,
      signingSecrets: [{ secret, createdAt: 1 }],
      timeoutMs: 15_000,
      status: 'enabled',
      log: 'failures',
    });
  }
}

let sequence = 0;

function callback() {
  sequence += 1;
  const messageId = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
  return { messageId, state: 'DELIVERED' as const, msisdn: 79_001_234_567, changedAt: Date.now() };
}

/** Events as SQS delivers them. */
function events(): object[] {
  return Array.from({ length: batches }, () => ({
    Records: partners.map((partnerId, n) => {
      const body = firstMessage(
        Array.from({ length: callbacksPerMessage }, () => ({
          partnerId,
          recordedAt: Date.now(),
          ...callback(),
        })),
      );
      return { messageId: String(n), body, attributes: { ApproximateReceiveCount: '1' } };
    }),
  }));
}

/** The same callbacks for the bare handlers, each in its own record. */
function posts(): object[] {
  return Array.from({ length: batches }, () => ({
    Records: Array.from({ length: callbacksPerBatch }, () => ({ body: JSON.stringify(callback()) })),
  }));
}

/** A partner's endpoint: reads every request, responds 200, and counts the signed ones. */
async function startReceiver({ cleanup }: EngineRig) {
  let signed = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.headers['webhook-signature']) signed += 1;
    const headers = { 'content-type': 'application/json' };
    request.resume().on('end', () => response.writeHead(200, headers).end('[]'));
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}/callback`;
  cleanup.defer(() => close(server));
  return { url, signed: () => signed };
}

async function timeBatches(fn: StartedFunction, given: object[]): Promise<number> {
  const { wallMs, responses } = await fn.run(given);
  const failed = responses.find((response) => JSON.stringify(response) !== '{"batchItemFailures":[]}');
  if (failed) throw new Error(`a batch of callbacks failed: ${JSON.stringify(failed)}`);
  return wallMs / given.length;
}

async function run(rig: EngineRig): Promise<Figure[]> {
  const receiver = await startReceiver(rig);
  const { url } = receiver;
  await saveEndpoints(rig.table, url);
  const fn = functionNamed('DeliverCallback', rig.model);
  const real = await startFunction(rig, fn);
  const folder = await bundleBare('posts', rig.folder, 'ours');
  const loop = await startFunction(rig, fn, { folder, more: { POST_URL: url } });
  const atOnce = await startFunction(rig, fn, { folder, more: { POST_URL: url, POST_AT_ONCE: 'yes' } });
  /** Delivers the batches and checks that all callbacks arrived signed. */
  const deliver = async (): Promise<number> => {
    const before = receiver.signed();
    const ms = await timeBatches(real, events());
    const arrived = receiver.signed() - before;
    const expected = batches * callbacksPerBatch;
    if (arrived !== expected) throw new Error(`${arrived} of ${expected} callbacks arrived signed`);
    return ms;
  };
  const post = (fn: StartedFunction) => () => timeBatches(fn, posts());
  for (let n = 0; n < warmUps; n++) {
    await deliver();
    await post(loop)();
    await post(atOnce)();
  }
  rig.say('against a plain loop, and ten POSTs at once');
  const rate = (what: string, ofBaseline: string, atLeast: number) => (found: Rounds<number>) => [
    {
      what: `callbacks, ${what}`,
      unit: 'per s',
      ...compared(ofBaseline, found, (msABatch) => callbacksPerBatch / (msABatch / 1_000)),
      budget: { of: 'ratio', atLeast },
    } satisfies Figure,
  ];
  const againstLoop = rate('against a plain keep-alive loop', 'plain loop of POSTs', 1.2);
  const againstAtOnce = rate('against ten POSTs at once', 'ten POSTs at once', 0.5);
  return [
    ...(await measure(rounds, deliver, post(loop), againstLoop)),
    ...(await measure(rounds, deliver, post(atOnce), againstAtOnce)),
  ];
}

export const callbacksSection: Section = {
  name: 'callbacks',
  about: 'callbacks a second of DeliverCallback, against bare POSTs to the same receiver',
  run: async (rig) => run(await withEngines(rig)),
};
