import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { deliverCallback } from '../../functions/callbacks/deliver-callback.ts';
import { fanOutStates } from '../../functions/callbacks/fan-out-states.ts';
import { recordReceipts } from '../../functions/push/record-receipts.ts';
import type { Endpoints } from '../../local/service.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { firstMessage } from '../../shared/callbacks/callback-message.ts';
import { deliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import { type GuardedClient, guardedClient } from '../../shared/callbacks/guarded-client.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { bulkIdFrom, messageIdOf } from '../../shared/push/message-id.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { parkedStore } from '../../shared/queues/parked-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { systemIds as ids } from '../../shared/runtime/ids.ts';

/*
 * Measures the CPU that the three busiest workers of the push path take for each of their items: what decides
 * how many of them a Lambda function of some size can do a second. The engines and the partner run in another
 * process, whose time is not counted. Loopback is plain http: TLS comes on top in AWS. The functions' log lines
 * go to stdout, since writing them is part of the work: npx node bench/capacity/measure.ts > /dev/null
 */

const firstMsisdn = 79_000_000_000;
const rounds = 24;

type Work = () => Promise<{ batchItemFailures: readonly unknown[] }>;

async function cpuMsOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  const { batchItemFailures } = await work();
  const { user, system } = process.cpuUsage(before);
  if (batchItemFailures.length > 0) throw new Error('what was measured failed: see the log lines above');
  return (user + system) / 1_000;
}

/** The median of the second half of the rounds: the first half warms up. */
async function report(what: string, items: number, prepare: () => Promise<Work>) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push((await cpuMsOf(await prepare())) / items);
  const warm = times.slice(rounds / 2).toSorted((a, b) => a - b);
  console.error(`${what.padEnd(36)} ${warm[warm.length / 2]?.toFixed(3)} ms of CPU each`);
}

function queueEvent(bodies: readonly string[]): SQSEvent {
  return {
    Records: bodies.map((body) => ({
      messageId: randomUUID(),
      receiptHandle: 'r',
      body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: 's',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
      awsRegion: 'us-east-1',
    })),
  };
}

function stateRecord(n: number): DynamoDBRecord {
  return {
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: String(n),
      NewImage: marshall({
        ...{ pk: `MSG#${randomUUID()}`, sk: 'STATE', toCallBack: 'yes', partnerId: 'nobody' },
        ...{ msisdn: firstMsisdn + n, messageId: randomUUID(), deliveredAt: clock.now() },
      }) as NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>,
    },
  };
}

function connect(service: Endpoints) {
  const local = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const dynamodb = new DynamoDBClient({ ...local, endpoint: service.dynamodb });
  const client = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
  // Messages of the outbox' own queue would be worked on by the service beside us: its dead letters are not.
  const url = service.queues['push-outbox-dead'];
  if (!url) throw new Error('the local service has no queue push-outbox-dead');
  return {
    table: { client, name: service.tableName },
    queue: { client: new SQSClient({ ...local, endpoint: service.sqs }), url },
  };
}

async function measure(service: Endpoints): Promise<void> {
  const { table, queue } = connect(service);
  const messages = messageStore(table);
  const parked = parkedStore(table);
  const receipts = recordReceipts({ messages, states: deliveryStateStore(table), parked, clock });
  await report('RecordReceipts, a receipt of a bulk', 500, async () => {
    const bulkId = bulkIdFrom(ids.uuid());
    const recipients = Array.from({ length: 500 }, (_, n) => ({ msisdn: firstMsisdn + n, registered: true }));
    const payload = { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7' };
    const contents = [{ pushType: 'SERVICE' as const, payload }];
    const owner = { partnerId: service.login, requestId: 'measure', acceptedAt: clock.now() };
    await messages.saveBulk({ bulkId, ...owner, recipients, contents, each: false });
    const time = new Date().toISOString();
    const reported = recipients.map(({ msisdn }, n) => ({
      ...{ messageId: messageIdOf(bulkId, n), msisdn, state: 'DELIVERED', time },
    }));
    return () => receipts(queueEvent([JSON.stringify({ receipts: reported })]));
  });

  const fanOut = fanOutStates({ queue, parked, clock });
  await report('FanOutStates, a state', 100, async () => {
    const Records = Array.from({ length: 100 }, (_, n) => stateRecord(n));
    return () => fanOut({ Records });
  });

  const guarded = guardedClient({ allowLoopback: true, allowHttp: true });
  const client: GuardedClient = {
    post: async (sent) => {
      const result = await guarded.post(sent);
      if (!result.ok) throw new Error(`the partner did not take a callback: ${result.error}`);
      return result;
    },
  };
  const lane = { name: 'fast', slowQueue: queue } as const;
  const deliver = deliverCallback(deliveryDeps({ table, queue, lane, client, clock, ids, retrySpeed: 1 }));
  await report('DeliverCallback, a callback', 100, async () => {
    const batches = Array.from({ length: 10 }, () =>
      queueEvent(
        Array.from({ length: 10 }, (_, n) =>
          firstMessage({
            ...{ partnerId: service.login, messageId: randomUUID(), state: 'DELIVERED' },
            ...{ msisdn: firstMsisdn + n, changedAt: clock.now() },
          }),
        ),
      ),
    );
    return async () => {
      const batchItemFailures: unknown[] = [];
      for (const batch of batches) batchItemFailures.push(...(await deliver(batch)).batchItemFailures);
      return { batchItemFailures };
    };
  });
}

async function started(stateDir: string): Promise<{ child: ChildProcess; service: Endpoints }> {
  const args = ['local/start.ts', '--port', '0', '--state', stateDir];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const file = join(stateDir, 'endpoints.json');
  const ready = async () => existsSync(file);
  if (!(await eventually(ready, (there) => there, { seconds: 120, pollMs: 200 }))) {
    child.kill('SIGTERM');
    throw new Error('the local service did not start within 120 s');
  }
  return { child, service: JSON.parse(readFileSync(file, 'utf8')) as Endpoints };
}

const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-capacity-'));
const { child, service } = await started(stateDir);
try {
  await measure(service);
} finally {
  child.kill('SIGTERM');
  await new Promise((ended) => child.once('exit', ended));
  rmSync(stateDir, { recursive: true, force: true });
}

process.exit(0);
