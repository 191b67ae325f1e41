import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documented } from '../../docs/generate/operations.ts';
import { manyRequests, rememberPartners, sampleSecret } from '../../local/partners.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { parkedQueues } from '../../shared/platform/table/row-kinds.ts';
import { sampleEvent } from '../support/sample-event.ts';
import { parkedReasons, type RunningService, startService } from '../support/service.ts';

let service: RunningService;
const { path: stateDir, remove } = temporaryFolder('events');
beforeAll(async () => {
  rememberPartners(stateDir, sampleSecret);
  service = await startService({ stateDir });
});
afterAll(async () => {
  await service.stop();
  remove();
});

const nothingFailed = { batchItemFailures: [] };

/** The built functions that are no operations respond this to their samples, under their roles. */
const others: Record<string, unknown> = {
  AuthorizePartner: {
    isAuthorized: true,
    context: {
      partnerId: 'bars',
      login: 'bars',
      secretCreatedAt: expect.any(Number),
      role: 'full',
      offerIds: ['bars-of-moscow'],
      limited: false,
      limits: { ...manyRequests, pushesPerMinute: 100_000 },
    },
  },
  ProcessSync: nothingFailed,
  EndFailedSync: nothingFailed,
  DispatchMessages: nothingFailed,
  ShowMessages: nothingFailed,
  ReportReceipts: nothingFailed,
  RemoveMessages: nothingFailed,
  RecordReceipts: nothingFailed,
  AdvanceSends: nothingFailed,
  FanOutStates: nothingFailed,
  DeliverCallback: nothingFailed,
  DeliverSlowCallback: nothingFailed,
  SweepDue: null,
  ServeConsole: expect.objectContaining({ statusCode: 200, body: expect.stringContaining('<title>') }),
};

it.each(Object.entries(others))('%s processes its sample', async (id, response) => {
  expect(await service.invoke(id, sampleEvent(id))).toEqual(response);
});

it('the callbacks of both samples were attempted', async () => {
  const received = await (await fetch(`${service.endpoints.partner?.url}/received`)).json();
  const attempt = {
    headers: { 'webhook-id': '3f1c9a52-7c1e-4b8f-9a35-0d6f2f6f8a11-DELIVERED' },
    verified: true,
  };
  expect(received).toMatchObject([attempt, attempt]);
});

it('no sample was parked as unreadable', async () => {
  const parked = await Promise.all(parkedQueues.map((queue) => parkedReasons(service, `PARKED#${queue}`)));
  // Their receipts were read, and name a message that was never sent.
  const isUnread = (reason: string) => !/^receipts\[[\d,-]+\]: no message has this messageId$/.test(reason);
  expect(
    parked
      .flat()
      .flatMap((reasons) => reasons.split('\n'))
      .filter(isUnread),
  ).toEqual([]);
});

it('there is a sample of every function', () => {
  const ids = [...documented.map(({ operation }) => operation.id), ...Object.keys(others)];
  expect(ids.map((id) => `${id}.json`).sort()).toEqual(readdirSync('events').sort());
});
