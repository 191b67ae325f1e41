import { expect } from 'vitest';
import { deleteAlerts } from '../../../functions/alerts/delete-alerts.ts';
import { getAlerts } from '../../../functions/alerts/get-alerts.ts';
import { putAlerts } from '../../../functions/alerts/put-alerts.ts';
import { testAlerts } from '../../../functions/alerts/test-alerts.ts';
import { setEndpoint } from '../../../shared/callbacks/endpoint/settings.ts';
import { alertTests } from '../../../shared/callbacks/limits.ts';
import type { NewEvent } from '../../../shared/events/event.ts';
import { readPartition } from '../../../shared/platform/table/rows.ts';
import { addEvent } from '../../support/add-event.ts';
import { bars, call } from '../../support/http.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { selfServiceRig } from '../callbacks/self-service-rig.ts';

export async function alertsRig() {
  const rig = await selfServiceRig();
  const deps = { ...rig.deps, tests: alertTests(rig.table) };
  const handlers = {
    PUT: putAlerts({ ...deps, set: setEndpoint(deps) }),
    GET: getAlerts(deps),
    DELETE: deleteAlerts(deps),
    POST: testAlerts(deps),
  };
  type As = { role?: 'observer'; key?: string };
  const ask = (method: keyof typeof handlers, body?: unknown, { role, key }: As = {}) =>
    call(handlers[method], {
      partner: { ...bars, login: 'bars-office', ...(role ? { role } : {}) },
      method,
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
      ...(body === undefined ? {} : { body }),
    });
  const read = async () => (await rig.events.page('bars', { limit: 100, nowMs: rig.clock.now() })).events;
  let seen = new Set<string>();
  /** Gives the stream's reader the events that it has not had, and delivers what follows. */
  const tell = async (worker = rig.worker) => {
    const rows = await readPartition(rig.table, 'EVENTS#bars', { ScanIndexForward: true });
    const fresh = rows.filter(({ sk }) => !seen.has(String(sk)));
    seen = new Set(rows.map(({ sk }) => String(sk)));
    const Records = fresh
      .filter((row) => row['toCallBack'] === 'yes')
      .map((row) => streamRecord(row, undefined, rig.clock.now()));
    if (Records.length > 0) expect(await rig.fanOut({ Records })).toEqual({ batchItemFailures: [] });
    await rig.work(worker);
    return Records;
  };
  const add = (partnerId: string, event: NewEvent) => addEvent(rig.table, partnerId, event);
  const addFailing = () => {
    const data = { what: 'nothing was delivered for over 15 minutes' };
    return add('bars', { kind: 'endpoint.failing', atMs: rig.clock.now(), data });
  };
  /** Adds an event of a wanted kind, and tells it. */
  const failing = async () => {
    await addFailing();
    return tell();
  };
  const storedAlerts = async () => (await rig.endpoints.view('bars#alerts', { consistent: true })).endpoint;
  return { ...rig, alerts: ask, storedAlerts, read, tell, add, addFailing, failing };
}
