import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { capacityMeter } from '../../ops/data-lifecycle/capacity-meter.ts';
import { cleanInPlace } from '../../ops/data-lifecycle/clean-in-place.ts';
import { type Caller, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { writeAll } from '../../shared/platform/table/batches.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';
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

// These steps are those of docs/operations.md, from the restore to serving again, on the local engines. The restored table is made as
// DynamoDB makes one, with its indexes and without stream, time to live or deletion protection.
test('a lost table: the restored one is served itself, without what must not come back, and new messages arrive', async () => {
  const { path: stateDir, remove } = temporaryFolder('lost');
  const before = await startService({ stateDir });
  const { dynamodb } = before.endpoints;
  const lost = connectLocalTable(lostName, dynamodb);
  const restored = connectLocalTable(restoredName, dynamodb);
  const call = jsonCaller(dynamodb, 'dynamodb');
  let service = before;
  onTestFinished(async () => {
    await service.stop();
    for (const { client } of [lost, restored]) client.destroy();
    remove();
  });
  const sent = await useService(before);
  const seen = { places: ['bar-1'], earlierMessage: true, newMessage: true };
  expect(await look(before, sent)).toEqual({ ...seen, activeCheckIns: ['9643907500000038'] });

  const definition = readServiceModel(assembly).tables[0]?.definition;
  await call('CreateTable', { TableName: restoredName, ...definition });
  const rows = (await rowsOf(lost)).map((put) => ({ put }));
  await writeAll(restored, rows);
  expect(rows.length).toBeGreaterThan(20);
  await call('DeleteTable', { TableName: lostName });
  expect(await request(before.partner, 'GET /places')).toMatchObject({ status: 500 });
  const meter = capacityMeter(restored, Number.MAX_SAFE_INTEGER);
  const { deleted } = await cleanInPlace(restored, meter, { write: true, nowMs: Date.now() });
  expect(deleted.total()).toBeGreaterThan(0);
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
  await call('UpdateTable', { TableName: restoredName, StreamSpecification });
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  await call('UpdateTimeToLive', { TableName: restoredName, TimeToLiveSpecification });
  await before.stop();
  service = await startService({ stateDir, assemblyDir: deployedOnRestored() });
  expect(await look(service, sent)).toEqual({ ...seen, activeCheckIns: [] });
});

/** Gives a partner a service point, an active check-in and a message. */
async function useService({ partner, wallet }: RunningService): Promise<string> {
  await request(wallet, 'PUT /wallet/recipients', { registered: [phone] });
  const places = [{ itemId: place, placeInfo: { address: 'Nizhny Kiselny pereulok 3, Moscow' } }];
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places }));
  const card = { offerId: partner.offerId, placeId: place, cardNumber: '9643907500000038' };
  await request(wallet, 'POST /wallet/check-ins', card);
  return sendMessage(partner);
}

async function sendMessage(partner: Caller): Promise<string> {
  const { body } = await request(partner, 'POST /push/delivery', message);
  return (body as { messageId: string }).messageId;
}

/** Returns what partners see now. A message that is sent now is delivered once it went through stream, queues and receipts. */
async function look({ partner }: RunningService, earlier: string) {
  const body = async <Body>(route: string) => (await request(partner, route)).body as Body;
  type History = { states?: { state: string }[] };
  const isDelivered = async (messageId: string) => {
    const read = () => body<History>(`GET /push/${messageId}/transactional-state`);
    const until = ({ states = [] }: History) => states.some(({ state }) => state === 'DELIVERED');
    return until(await eventually('a delivered message', read, { until }));
  };
  const { places } = await body<{ places: { itemId: string }[] }>('GET /places');
  const listed = await body<{ cardNumber: string }[]>(checkIns);
  return {
    places: places.map(({ itemId }) => itemId),
    activeCheckIns: listed.map(({ cardNumber }) => cardNumber),
    earlierMessage: await isDelivered(earlier),
    newMessage: await isDelivered(await sendMessage(partner)),
  };
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
  const { path: folder } = temporaryFolder('assembly');
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
