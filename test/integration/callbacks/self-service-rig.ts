import { disableEndpoint } from '../../../functions/callbacks/disable-endpoint.ts';
import { enableEndpoint } from '../../../functions/callbacks/enable-endpoint.ts';
import { examineEndpoint } from '../../../functions/callbacks/examine-endpoint.ts';
import { getEndpoint } from '../../../functions/callbacks/get-endpoint.ts';
import { listCallbacks } from '../../../functions/callbacks/list-callbacks.ts';
import { putEndpoint } from '../../../functions/callbacks/put-endpoint.ts';
import { readFeed } from '../../../functions/callbacks/read-feed.ts';
import { replayCallbacks } from '../../../functions/callbacks/replay-callbacks.ts';
import { retireEndpointSecret } from '../../../functions/callbacks/retire-endpoint-secret.ts';
import { rotateEndpointSecret } from '../../../functions/callbacks/rotate-endpoint-secret.ts';
import { testCallback } from '../../../functions/callbacks/test-callback.ts';
import { endpointSettings, setEndpoint } from '../../../shared/callbacks/endpoint/settings.ts';
import { examinedStore } from '../../../shared/callbacks/examination/examined-store.ts';
import { callbackFeed } from '../../../shared/callbacks/feed/read-feed.ts';
import { callbackExaminations, callbackTests } from '../../../shared/callbacks/limits.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { keyStore } from '../../../shared/partners/key-store.ts';
import { liveKeys } from '../../../shared/partners/live-key.ts';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { idempotencyStore } from '../../../shared/platform/http/idempotency.ts';
import { requestBudgets } from '../../../shared/platform/limits/request-budget.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { bars, call } from '../../support/http.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';
import { virtualSleep } from '../../support/virtual-sleep.ts';
import { callbacksRig } from './callbacks-rig.ts';

/** Adds what partners do about their callbacks themselves; `deployed` refuses addresses that are not public. */
export async function selfServiceRig() {
  const rig = await callbacksRig();
  await storeTwoPartners(rig.table);
  for (const partnerId of ['bars', 'bakery'])
    await keyStore(rig.table).create(partnerId, {
      login: `${partnerId}-office`,
      role: 'full',
      secret: { digest: 'digest', createdAt: 0 },
    });
  const policy = (name: string) => {
    const addresses = addressPolicy(name);
    const deps = {
      endpoints: rig.endpoints,
      clock: rig.clock,
      ids: systemIds,
      idempotency: idempotencyStore(rig.table),
      budgets: requestBudgets(rig.table),
      keys: liveKeys(rig.table),
      addresses,
      own: { origins: ['https://api.example'], hasReceivers: true },
      examined: examinedStore(rig.table),
      events: eventStore(rig.table),
      logByDefault: 'failures' as const,
    };
    const settings = endpointSettings({ ...rig, ...deps });
    return {
      get: getEndpoint({ ...rig, ...deps }),
      put: putEndpoint({ ...deps, set: setEndpoint({ ...rig, ...deps }) }),
      list: listCallbacks({ ...rig, ...deps }),
      replay: replayCallbacks({ ...rig, ...deps }),
      enable: enableEndpoint({ ...deps, settings }),
      disable: disableEndpoint({ ...deps, settings }),
      rotate: rotateEndpointSecret({ ...deps, settings }),
      retire: retireEndpointSecret({ ...deps, settings }),
      feed: readFeed({ ...rig, ...deps, feed: callbackFeed(rig.table) }),
      examine: examineEndpoint({
        ...rig,
        ...deps,
        examinations: callbackExaminations(rig.table),
        sleepUntil: virtualSleep(rig.clock),
        client: guardedClient(addresses, async () => []),
      }),
      test: testCallback({
        ...rig,
        ...deps,
        tests: callbackTests(rig.table),
        client: guardedClient(addresses, async (name) => (name === 'six.example' ? [] : ['127.0.0.1'])),
      }),
    };
  };
  const local = policy('loopback-too');
  const deployed = policy('public');
  const methods: Record<string, string> = { get: 'GET', list: 'GET', feed: 'GET', put: 'PUT' };
  const ask = (
    name: keyof typeof local,
    body?: unknown,
    more: {
      handlers?: typeof local;
      partner?: typeof bars;
      key?: string;
      query?: Record<string, string>;
    } = {},
  ) => {
    const { partner = bars } = more;
    return call((more.handlers ?? local)[name], {
      partner: { ...partner, login: `${partner.partnerId}-office` },
      method: methods[name] ?? 'POST',
      ...(body === undefined ? {} : { body }),
      ...(more.query ? { query: more.query } : {}),
      ...(more.key ? { headers: { 'idempotency-key': more.key } } : {}),
    });
  };
  const notices = async () =>
    ((await ask('get')).body as { notices: { what: string; by?: string }[] }).notices.map(({ what, by }) =>
      by === undefined ? [what] : [what, by],
    );
  return { ...rig, ask, deployed, notices, events: eventStore(rig.table) };
}
