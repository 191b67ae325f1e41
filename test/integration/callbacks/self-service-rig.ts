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
import { callbackFeed } from '../../../shared/callbacks/feed/callback-feed.ts';
import { callbackExaminations, callbackTests } from '../../../shared/callbacks/limits.ts';
import { loggedCallbacks } from '../../../shared/callbacks/listing/logged-callbacks.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { keyStore } from '../../../shared/partners/key-store.ts';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { bars, respond } from '../../support/http.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';
import { virtualSleep } from '../../support/virtual-sleep.ts';
import { callbacksRig } from './callbacks-rig.ts';
import { partnerThatAnswers } from './loopback-partner.ts';

type ListPage = { callbacks: { messageId: string; status: string }[]; cursor?: string };

const methods: Record<string, string> = { get: 'GET', list: 'GET', feed: 'GET', put: 'PUT' };

/** Adds what partners do about their callbacks themselves, on a laptop (`local`), a sandbox and a deployed stage. */
export async function selfServiceRig() {
  const rig = await callbacksRig();
  await storeTwoPartners(rig.table);
  for (const partnerId of ['bars', 'bakery'])
    await keyStore(rig.table).create(partnerId, {
      login: `${partnerId}-office`,
      role: 'full',
      secret: { digest: 'digest', createdAt: 0 },
    });
  const events = eventStore(rig.table);
  const depsOf = (policy: string, hasReceivers: boolean) => {
    const addresses = addressPolicy(policy);
    return {
      ...rig,
      ...requestDeps(rig.table, rig.clock),
      addresses,
      own: {
        origins: ['https://api.example', 'https://abc123.execute-api.eu-central-1.amazonaws.com'],
        hasReceivers,
      },
      examined: examinedStore(rig.table),
      events,
      logByDefault: 'failures' as const,
      feed: callbackFeed(rig.table),
      logged: loggedCallbacks(rig.table),
      examinations: callbackExaminations(rig.table),
      tests: callbackTests(rig.table),
      sleepUntil: virtualSleep(rig.clock),
      client: guardedClient(addresses, async () => []),
    };
  };
  const handlersOf = (deps: ReturnType<typeof depsOf>) => {
    const settings = endpointSettings(rig.table, deps.clock, deps.ids);
    return {
      get: getEndpoint(deps),
      put: putEndpoint({ ...deps, set: setEndpoint(deps) }),
      list: listCallbacks(deps),
      replay: replayCallbacks(deps),
      enable: enableEndpoint({ ...deps, settings }),
      disable: disableEndpoint({ ...deps, settings }),
      rotate: rotateEndpointSecret({ ...deps, settings }),
      retire: retireEndpointSecret({ ...deps, settings }),
      feed: readFeed(deps),
      examine: examineEndpoint(deps),
      test: testCallback(deps),
    };
  };
  const deps = depsOf('loopback-too', true);
  const stages = {
    local: handlersOf(deps),
    sandbox: handlersOf(depsOf('public', true)),
    deployed: handlersOf(depsOf('public', false)),
  };
  type More = {
    stage?: keyof typeof stages;
    partner?: typeof bars;
    headers?: Record<string, string>;
    query?: Record<string, string>;
  };
  const ask = async (name: keyof typeof stages.local, body?: unknown, more: More = {}) => {
    const { partner = bars, stage = 'local', ...request } = more;
    const caller = { ...partner, login: `${partner.partnerId}-office` };
    const asked = { ...request, partner: caller, method: methods[name] ?? 'POST', body };
    const { statusCode: status, headers, body: text } = await respond(stages[stage][name], asked);
    return { status, headers, body: text === '' ? '' : JSON.parse(text) };
  };
  /** Returns what GET /callbacks lists. */
  const listed = async (query: Record<string, string> = {}): Promise<ListPage> =>
    (await ask('list', undefined, { query })).body;
  const replayed = async (body: object) => (await ask('replay', body)).body;
  /** Asks with an Idempotency-Key. */
  const askUnder = (key: string, name: keyof typeof stages.local, body?: unknown) =>
    ask(name, body, { headers: { 'idempotency-key': key } });
  const notices = async (): Promise<string[][]> =>
    (await ask('get')).body.notices.map(({ what, by }: { what: string; by?: string }) =>
      by === undefined ? [what] : [what, by],
    );
  /** The endpoint as the table has it now. */
  const stored = async () => (await rig.endpoints.view('bars', { consistent: true })).endpoint;
  /** Sets the endpoint to a partner's server that answers with this status. */
  const endpointThatAnswers = async (status: number, more: object = {}) => {
    const partner = await partnerThatAnswers(status);
    await ask('put', { url: partner.url, ...more });
    return partner;
  };
  return { ...rig, deps, ask, listed, replayed, askUnder, notices, stored, events, endpointThatAnswers };
}
