import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { capacityMeter } from '../../ops/data-lifecycle/capacity-meter.ts';
import { cleanInPlace } from '../../ops/data-lifecycle/clean-in-place.ts';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { writeAll } from '../../shared/platform/table/batches.ts';
import { connectLocalTable, type Table } from '../../shared/platform/table/table.ts';
import { finishedSession, type RunningService, startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

const assembly = 'cdk.out';
const lostName = 'partner-integration-dev-data-Table';
const restoredName = `${lostName}-RESTORED`;
const phone = 79_001_234_567;
const place = 'bar-1';
const checkIns = `GET /partner/api/place/${place}/checkins`;

const message = {
  msisdn: phone,
  pushType: 'SERVICE',
  qos: { deliveryStatusNotifications: true },
  payload: { title: 'Union Jack', message: 'Your table is ready' },
};

/** Partners see this at a moment. */
type Seen = {
  places: unknown;
  activeCheckIns: unknown;
  earlierMessage: unknown;
  /** The last state of a message that is sent now: DELIVERED once it went through stream, queues and receipts. */
  newMessage: unknown;
};

test('a lost table: the restored one is served itself, without what must not come back, and new messages arrive', async () => {
  const { rows, deleted, whileLost, seenBefore, seenAfter } = await rehearseLostTable();
  expect(rows).toBeGreaterThan(20);
  expect(deleted).toBeGreaterThan(0);
  expect(whileLost).toBe(500);
  expect(seenBefore).toEqual({
    places: ['bar-1'],
    activeCheckIns: ['9643907500000038'],
    earlierMessage: true,
    newMessage: true,
  });
  expect(seenAfter).toEqual({ ...seenBefore, activeCheckIns: [] });
});

/**
 * The table is gone: what docs/operations.md says, from the restore to serving again, on the local engines. The restored
 * table is made as DynamoDB makes one, with its indexes and without stream, time to live or deletion protection.
 */
async function rehearseLostTable() {
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-lost-'));
  const before = await startService({ stateDir });
  const { dynamodb } = before.endpoints;
  const [lost, restored] = [lostName, restoredName].map((name) => connectLocalTable(name, dynamodb)) as [
    Table,
    Table,
  ];
  const call = jsonCaller(dynamodb, 'dynamodb');
  let service = before;
  try {
    const sent = await useService(before);
    const seenBefore = await look(before, sent);
    const rows = await restoreFromBackup({ call, lost, restored });
    await call('DeleteTable', { TableName: lostName });
    const whileLost = (await request(before.partner, 'GET /places')).status;
    const { deleted } = await cleanInPlace(restored, capacityMeter(restored, Number.MAX_SAFE_INTEGER), {
      write: true,
      nowMs: Date.now(),
    });
    await enableStream(call);
    await before.stop();
    service = await startService({ stateDir, assemblyDir: deployedOnRestored() });
    const seenAfter = await look(service, sent);
    return { rows, deleted: deleted.total(), whileLost, seenBefore, seenAfter };
  } finally {
    await service.stop();
    for (const { client } of [lost, restored]) client.destroy();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Gives a partner service points, an active and a redeemed check-in, and a message. */
async function useService({ partner, wallet }: RunningService): Promise<string> {
  await request(wallet, 'PUT /wallet/recipients', { registered: [phone] });
  const places = [{ itemId: place, placeInfo: { address: 'Nizhny Kiselny pereulok 3, Moscow' } }];
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places }));
  await request(wallet, 'POST /wallet/check-ins', {
    offerId: partner.offerId,
    placeId: place,
    cardNumber: '9643907500000038',
  });
  return sendMessage({ partner });
}

async function sendMessage({ partner }: Pick<RunningService, 'partner'>): Promise<string> {
  const { body } = await request(partner, 'POST /push/delivery', message);
  return (body as { messageId: string }).messageId;
}

async function look(service: RunningService, earlier: string): Promise<Seen> {
  const { partner } = service;
  const body = async (route: string) => (await request(partner, route)).body;
  const states = async (messageId: string) => {
    const { states = [] } = (await body(`GET /push/${messageId}/transactional-state`)) as {
      states?: { state: string }[];
    };
    return states.map(({ state }) => state);
  };
  const delivered = (messageId: string) =>
    eventually('a delivered message', () => states(messageId), {
      until: (all) => all.includes('DELIVERED'),
    });
  const { places } = (await body('GET /places')) as { places: { itemId: string }[] };
  const listed = (await body(checkIns)) as { cardNumber: string }[];
  return {
    places: places.map(({ itemId }) => itemId),
    activeCheckIns: listed.map(({ cardNumber }) => cardNumber),
    earlierMessage: (await delivered(earlier)).includes('DELIVERED'),
    newMessage: (await delivered(await sendMessage(service))).includes('DELIVERED'),
  };
}

type Tables = { call: ReturnType<typeof jsonCaller>; lost: Table; restored: Table };

async function restoreFromBackup({ call, lost, restored }: Tables): Promise<number> {
  const definition = readServiceModel(assembly).tables[0]?.definition;
  await call('CreateTable', { TableName: restoredName, ...definition });
  const rows = await rowsOf(lost);
  await writeAll(
    restored,
    rows.map((put) => ({ put })),
  );
  return rows.length;
}

async function enableStream(call: Tables['call']): Promise<void> {
  await call('UpdateTable', {
    TableName: restoredName,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  await call('UpdateTimeToLive', { TableName: restoredName, TimeToLiveSpecification });
}

type Template = {
  Parameters?: Record<string, { Default: string }>;
  Resources: Record<string, object>;
};

/**
 * Returns the folder of an assembly whose stacks were deployed with the parameter for the restored table. That table is
 * beside the lost one, because the local runner knows tables and their streams by the templates.
 */
function deployedOnRestored(): string {
  const folder = mkdtempSync(join(tmpdir(), 'partner-integration-assembly-'));
  const stream = `arn:aws:dynamodb:eu-central-1:000000000000:table/${restoredName}/stream/local`;
  for (const name of readdirSync(assembly)) {
    if (!name.endsWith('.template.json')) {
      symlinkSync(resolve(assembly, name), join(folder, name));
      continue;
    }
    const template: Template = JSON.parse(readFileSync(join(assembly, name), 'utf8'));
    const parameter = template.Parameters?.['RestoredTableStream'];
    if (parameter) parameter.Default = stream;
    const { Table: ofData } = template.Resources;
    if (ofData) template.Resources['Table-RESTORED'] = ofData;
    writeFileSync(join(folder, name), JSON.stringify(template));
  }
  return folder;
}
