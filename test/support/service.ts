import { jsonCaller } from '../../local/engines/json-call.ts';
import { silentLog } from '../../local/log.ts';
import { manyRequests } from '../../local/partners.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../local/service.ts';
import { callersOf } from '../../ops/scenario/actors.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

export type RunningService = LocalService & {
  partner: Caller;
  other: Caller;
  wallet: Caller;
  stop: () => Promise<void>;
};

/** Starts the whole service as `npm start` does, on a free port, with retries a thousand times sooner. */
export async function startService(options: LocalServiceOptions = {}): Promise<RunningService> {
  const service = await startLocalService({
    retrySpeed: 1_000,
    underRoles: true,
    log: silentLog,
    limits: manyRequests,
    ...options,
  });
  const { partner, other, wallet } = callersOf(service.endpoints);
  const stop = async () => {
    const refused = (await service.meter?.refused()) ?? [];
    await service.stop();
    // Functions go on without some writes, so a role without the right for one may be seen nowhere else.
    if (refused.length > 0) throw new Error(`The roles do not allow: ${[...new Set(refused)].join('; ')}`);
  };
  let stopped: Promise<void> | undefined;
  return {
    ...service,
    partner,
    other,
    wallet,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The reasons for which messages in a partition of the service's table are parked. */
export async function parkedReasons({ endpoints }: LocalService, pk: string): Promise<string[]> {
  const query = jsonCaller(endpoints.dynamodb, 'dynamodb')<{ Items: { reason: { S: string } }[] }>;
  const { Items } = await query('Query', {
    TableName: endpoints.tableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
  });
  return Items.map(({ reason }) => reason.S);
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
