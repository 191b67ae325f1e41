import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { functionEnvironment } from '../../local/functions/function-environment.ts';
import { type BorrowedEngines, borrowEngines } from '../../local/invoke/borrow-engines.ts';
import { account } from '../../local/template/account.ts';
import { firstMessage } from '../../shared/callbacks/callback-message.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { bundleBare } from '../bare/bundle-bare.ts';
import { type BuiltService, builtService } from '../built-service.ts';
import { alternate, median, spread } from '../measure.ts';
import type { Figure, Section } from '../section.ts';
import { type HeldFunction, holdFunction } from '../warm/held-function.ts';
import { type Receiver, startReceiver } from './start-receiver.ts';

const perInvocation = 10;
const invocations = 100;
const rounds = 9;
const warmUps = 3;
const partners = Array.from({ length: 10 }, (_, n) => `partner-${n}`);
const [dead = ''] = partners;

/** Nobody listens on the port of the protocol `discard`: connections are refused at once. */
const deadUrl = 'http://127.0.0.1:9/callback';

let sequence = 0;
const event = (partnerOf: (n: number) => string): object => ({
  Records: Array.from({ length: perInvocation }, (_, n) => {
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
});
const events = (partnerOf: (n: number) => string): object[] =>
  Array.from({ length: invocations }, () => event(partnerOf));

const perSecond = async (fn: HeldFunction, batch: object[]): Promise<number> => {
  const { wallMs, answers } = await fn.run(batch);
  const failed = answers.find((answer) => JSON.stringify(answer) !== '{"batchItemFailures":[]}');
  if (failed) throw new Error(`a batch of callbacks failed: ${JSON.stringify(failed)}`);
  return (batch.length * perInvocation) / (wallMs / 1_000);
};

/** Each partner with an endpoint at the receiver, but for the one that is dead. */
const saveEndpoints = async ({ dynamodb }: BorrowedEngines, tableName: string, receiver: Receiver) => {
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
};

const measure = async (
  say: (progress: string) => void,
  { real, bare, receiver }: { real: HeldFunction; bare: HeldFunction; receiver: Receiver },
): Promise<Figure[]> => {
  const live = (n: number): string => partners[1 + (n % 9)] ?? '';
  const oneInTenDead = (n: number): string => partners[n % 10] ?? '';
  const before = await receiver.signed();
  await perSecond(real, [event(live)]);
  const arrived = (await receiver.signed()) - before;
  if (arrived !== perInvocation) throw new Error(`${arrived} of ${perInvocation} callbacks arrived signed`);
  for (let n = 0; n < warmUps; n++) {
    await perSecond(real, events(live));
    await perSecond(bare, events(live));
  }
  say('healthy partners');
  const healthy = await alternate(
    rounds,
    () => perSecond(real, events(live)),
    () => perSecond(bare, events(live)),
  );
  say('one of ten partners dead');
  const troubled = await alternate(
    rounds,
    () => perSecond(real, events(oneInTenDead)),
    () => perSecond(real, events(live)),
  );
  return [
    {
      what: 'callbacks delivered, ten at once',
      unit: 'per s',
      median: median(healthy.subject),
      spread: spread(healthy.subject),
      baseline: { what: 'plain POST loop over kept connections', median: median(healthy.baseline) },
      budget: { of: 'ratio', atLeast: 0.6 },
    },
    {
      what: 'callbacks worked off, one of ten partners dead',
      unit: 'per s',
      median: median(troubled.subject),
      spread: spread(troubled.subject),
      baseline: { what: 'all partners healthy', median: median(troubled.baseline) },
    },
  ];
};

const run = async (
  say: (progress: string) => void,
  { model, folder }: BuiltService,
  engines: BorrowedEngines,
): Promise<Figure[]> => {
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
    const bare = await hold('post-loop', await bundleBare('post-loop', folder), {
      ...environment,
      POST_URL: receiver.url,
    });
    return await measure(say, { real, bare, receiver });
  } finally {
    await Promise.all(held.map((one) => one.end()));
    await receiver.stop();
  }
};

export const callbacksSection: Section = {
  name: 'callbacks',
  about: 'callbacks a second of DeliverCallback, against a plain POST loop to the same receiver',
  run: async (say) => {
    const service = await builtService();
    const engines = await borrowEngines(service.folder, service.model);
    try {
      return await run(say, service, engines);
    } finally {
      await engines.giveBack();
      service.remove();
    }
  },
};
