import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../local/log.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../local/service.ts';
import { callersOf } from '../../ops/scenario/actors.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';

export type RunningService = LocalService & {
  partner: Caller;
  other: Caller;
  wallet: Caller;
  stop: () => Promise<void>;
};

/** Starts the whole service as `npm start` does, on a free port, with retries a thousand times sooner. */
export async function startService(options: Partial<LocalServiceOptions> = {}): Promise<RunningService> {
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-test-'));
  const service = await startLocalService({
    port: 0,
    stateDir,
    assemblyDir: 'cdk.out',
    retrySpeed: 1_000,
    log: silentLog,
    ...options,
  });
  await agreeManyRequests(service.endpoints);
  const { partner, other, wallet } = callersOf(service.endpoints);
  return {
    ...service,
    partner,
    other,
    wallet,
    stop: async () => {
      await service.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** Tests send more requests in 10 s than a partner has without an agreement. */
async function agreeManyRequests({ tableName, dynamodb }: LocalService['endpoints']): Promise<void> {
  const table = connectLocalTable(tableName, dynamodb);
  const partners = partnerAdminStore(table);
  const many = { tillRequests: 1_000_000, heavyRequests: 1_000_000, otherRequests: 1_000_000 };
  for (const account of await partners.list())
    await partners.setLimits(account, { ...account.limits, ...many });
  table.client.destroy();
}

export type SessionResponse = {
  status: string;
  errors: { place: unknown; description: string }[];
  counts: Record<string, number>;
};

export async function finishedSession(partner: Caller, started: Reply): Promise<SessionResponse> {
  const { sessionId } = started.body as { sessionId: string };
  const ask = async () => (await request(partner, `GET /places/sync/${sessionId}`)).body as SessionResponse;
  return eventually('a FINISHED session', ask, { until: ({ status }) => status === 'FINISHED' });
}
