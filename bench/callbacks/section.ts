import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { functionEnvironment } from '../../local/functions/function-environment.ts';
import { type BorrowedEngines, borrowEngines } from '../../local/invoke/borrow-engines.ts';
import { account } from '../../local/template/account.ts';
import { firstMessage } from '../../shared/callbacks/callback-message.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { bundleBare } from '../bare/bundle-bare.ts';
import { type BuiltService, onBuiltService } from '../built-service.ts';
import { alternate, median, middle } from '../measure.ts';
import type { Figure, Section } from '../section.ts';
import { type HeldFunction, holdFunction } from '../warm/held-function.ts';
import { type Receiver, startReceiver } from './start-receiver.ts';

const perInvocation = 10;
const invocations = 100;
const rounds = 9;
/** Batches of a thousand: fewer, and what is measured is V8 at work on the function. */
const warmUps = 12;
const partners = Array.from({ length: 10 }, (_, n) => `partner-${n}`);
const [dead = ''] = partners;

/** Nobody listens on the port of the protocol `discard`: connections are refused at once. */
const deadUrl = 'http://127.0.0.1:9/callback';

let sequence = 0;

function event(partnerOf: (n: number) => string, size = perInvocation): object {
  return {
    Records: Array.from({ length: size }, (_, n) => {
      sequence += 1;
      const messageId = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
      const state = 'DELIVERED' as const;
      const callback = {
        partnerId: partnerOf(n),
        messageId,
        state,
        msisdn: 79_001_234_567,
        changedAt: Date.now(),
      };
      return { messageId, body: firstMessage(callback), attributes: { ApproximateReceiveCount: '1' } };
    }),
  };
}

function events(partnerOf: (n: number) => string, size = perInvocation): object[] {
  return Array.from({ length: invocations }, () => event(partnerOf, size));
}

/** Wall time of an invocation in milliseconds, over several in a row. */
async function msEach(fn: HeldFunction, batches: object[]): Promise<number> {
  const { wallMs, responses } = await fn.run(batches);
  const failed = responses.find((response) => JSON.stringify(response) !== '{"batchItemFailures":[]}');
  if (failed) throw new Error(`a batch of callbacks failed: ${JSON.stringify(failed)}`);
  return wallMs / batches.length;
}

async function perSecond(fn: HeldFunction, batches: object[]): Promise<number> {
  return perInvocation / ((await msEach(fn, batches)) / 1_000);
}

/** Each partner with an endpoint at the receiver, but for the one that is dead. */
async function saveEndpoints({ dynamodb }: BorrowedEngines, tableName: string, receiver: Receiver) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: dynamodb, region: account.region, credentials });
  const endpoints = endpointStore({
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    name: tableName,
  });
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  for (const partnerId of partners) {
    await endpoints.save({
      partnerId,
      url: partnerId === dead ? deadUrl : receiver.url,
      signingSecrets: [{ secret, createdAt: 1 }],
      timeoutMs: 15_000,
      status: 'enabled',
    });
  }
  client.destroy();
}

interface Contenders {
  readonly real: HeldFunction;
  readonly loop: HeldFunction;
  readonly floor: HeldFunction;
  readonly receiver: Receiver;
}

async function measure(
  say: (progress: string) => void,
  { real, loop, floor, receiver }: Contenders,
): Promise<Figure[]> {
  const live = (n: number): string => partners[1 + (n % 9)] ?? '';
  const oneInTenDead = (n: number): string => partners[n % 10] ?? '';
  /** Works off the batches, and looks at what came in. */
  const deliver = async (batches: object[], expected: number): Promise<number> => {
    const before = await receiver.signed();
    const ms = await msEach(real, batches);
    const arrived = (await receiver.signed()) - before;
    if (arrived !== expected) throw new Error(`${arrived} of ${expected} callbacks arrived signed`);
    return ms;
  };
  const all = invocations * perInvocation;
  const delivered = async () => perInvocation / ((await deliver(events(live), all)) / 1_000);
  for (let n = 0; n < warmUps; n++) {
    await delivered();
    await perSecond(loop, events(live));
    await perSecond(floor, events(live));
  }
  const against = (baseline: HeldFunction) =>
    alternate(rounds, delivered, () => perSecond(baseline, events(live)));
  say('against a plain loop');
  const plain = await against(loop);
  say('against the floor');
  const bare = await against(floor);
  say('one of ten partners dead');
  const troubled = await alternate(
    rounds,
    async () => perInvocation / ((await deliver(events(oneInTenDead), all * 0.9)) / 1_000),
    delivered,
  );
  const sized: Figure[] = [];
  for (const size of [1, 3, perInvocation]) {
    say(`batches of ${size}`);
    const found = await alternate(
      rounds,
      () => deliver(events(live, size), invocations * size),
      () => msEach(loop, events(live, size)),
    );
    sized.push({
      what: `a batch of ${size}`,
      unit: 'ms',
      ...middle(found.subject),
      baseline: { what: 'plain POST loop', median: median(found.baseline) },
      series: { of: 'a batch of callbacks', size },
    });
  }
  return [
    {
      what: 'callbacks delivered',
      unit: 'per s',
      ...middle(plain.subject),
      baseline: { what: 'plain POST loop over a kept connection', median: median(plain.baseline) },
      budget: { of: 'ratio', atLeast: 0.6 },
    },
    {
      what: 'callbacks delivered, against ten bare POSTs at once',
      unit: 'per s',
      ...middle(bare.subject),
      baseline: { what: 'ten bare POSTs side by side', median: median(bare.baseline) },
      budget: { of: 'ratio', atLeast: 0.3 },
    },
    {
      what: 'callbacks worked off, one of ten partners dead',
      unit: 'per s',
      ...middle(troubled.subject),
      baseline: { what: 'all partners healthy', median: median(troubled.baseline) },
    },
    ...sized,
  ];
}

async function run(
  say: (progress: string) => void,
  { model, folder }: BuiltService,
  engines: BorrowedEngines,
): Promise<Figure[]> {
  const fn = model.functions.find(({ logicalId }) => logicalId === 'DeliverCallback');
  if (!fn) throw new Error('there is no function DeliverCallback');
  const receiver = await startReceiver();
  const held: HeldFunction[] = [];
  const hold = async (...how: Parameters<typeof holdFunction>): Promise<HeldFunction> => {
    const one = await holdFunction(...how);
    held.push(one);
    return one;
  };
  try {
    await saveEndpoints(engines, model.tables[0]?.name ?? '', receiver);
    const environment = functionEnvironment(fn, engines, 1);
    const real = await hold('DeliverCallback', fn.codeFolder, environment);
    const bare = async (name: string): Promise<HeldFunction> =>
      hold(name, await bundleBare(name, folder, 'ours'), { ...environment, POST_URL: receiver.url });
    const loop = await bare('one-by-one');
    const floor = await bare('side-by-side');
    return await measure(say, { real, loop, floor, receiver });
  } finally {
    await Promise.all(held.map((one) => one.end()));
    await receiver.stop();
  }
}

export const callbacksSection: Section = {
  name: 'callbacks',
  about: 'callbacks a second of DeliverCallback, against a plain POST loop to the same receiver',
  run: (say) =>
    onBuiltService(async (service) => {
      const engines = await borrowEngines(service.folder, service.model);
      try {
        return await run(say, service, engines);
      } finally {
        await engines.giveBack();
      }
    }),
};
