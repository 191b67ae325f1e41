import { expect, test } from 'vitest';
import type { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { day, minute, second } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { rigWithPartner } from './callbacks-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

const rig = inEachTest(rigWithPartner);

function disabledFor(reason: string) {
  return { kind: 'endpoint.disabled', data: { what: `disabled: ${reason}`, reason } };
}

test.each([404, 401, 409])('rule 23: %i disables nothing, and is attempted again', async (status) => {
  rig.partner.responses(reply(status));
  await rig.changeAndWork('m1');
  expect(await rig.row('m1')).toMatchObject({ status: 'waiting', attempts: [{ httpStatus: status }] });
  expect(await shownEvents(rig)).toEqual([]);
});

test('rules 23, 55: 410 disables the endpoint at once: callbacks are kept and not attempted, until 250 ms after it is enabled, also by a worker that knew it as disabled', async () => {
  const lines = collectLines();
  rig.partner.responses(reply(410));
  await rig.changeAndWork('m1');
  await rig.changeAndWork('by-the-same-worker');
  await rig.change('m2');
  const other = rig.newWorker();
  await rig.work(other);
  expect(rig.partner.received).toHaveLength(1);
  const reason = 'answered 410';
  const disabled = lines.filter(({ EndpointsDisabled }) => EndpointsDisabled === 1);
  expect(disabled).toMatchObject([{ partnerId: 'bars', reason }]);
  expect(await rig.row('m1')).toMatchObject({ status: 'skipped', reason, attempts: [{ httpStatus: 410 }] });
  const kept = await rig.row('m2');
  expect(kept).toMatchObject({ status: 'skipped', reason: 'disabled', attempts: [] });
  expect(kept).not.toHaveProperty('dueShard');
  expect((await rig.endpoints.view('bars')).endpoint).toMatchObject({
    status: 'disabled',
    disabledReason: 'answered 410',
    // A millisecond after the step of the circuit, so that the events are in order.
    disabledAt: rig.clock.now() + 1,
  });
  expect(await shownEvents(rig)).toEqual([disabledFor(reason)]);
  rig.partner.responses(reply(200));
  await rig.settings.enable('bars', 'bars');
  // Results of attempts that began before then say nothing any more.
  expect((await rig.endpoints.view('bars')).endpoint).toMatchObject({ enabledAt: rig.clock.now() });
  rig.clock.advance(250);
  await rig.change('m3');
  await rig.work(other);
  expect(rig.partner.received).toHaveLength(2);
});

test('rules 23, 55: an endpoint that fails for five days is disabled, and its partner is told of both', async () => {
  const openUntil = rig.clock.now();
  const since = openUntil - 5 * day;
  await rig.setCircuit({ failures: 9, openings: 3, failingSince: since, firstOpenedAt: since, openUntil });
  rig.partner.responses(reply(500));
  await rig.changeAndWork('m1');
  const what = 'nothing was delivered for 4 days: a day later it is disabled';
  expect(await shownEvents(rig)).toEqual([
    disabledFor('failing for 5 days'),
    { kind: 'endpoint.failing', data: { what } },
  ]);
});

test('rule 55: enabling an endpoint whose circuit is open closes it, which is told once and with who did it', async () => {
  await rig.openCircuit();
  const data = { what: 'what waited is tried again' };
  for (const _time of ['first', 'second']) {
    await rig.settings.enable('bars', 'bars');
    expect(await rig.circuit()).not.toHaveProperty('openUntil');
    expect(await shownEvents(rig)).toEqual([{ kind: 'endpoint.enabled', by: 'bars', data }]);
  }
});

test('an endpoint that is disabled behind its open circuit: what that deferred is skipped', async () => {
  await rig.openCircuit();
  await rig.changeAndWork('late');
  await rig.settings.disable('bars', { reason: 'by bars', by: 'bars' });
  rig.clock.advance(31 * second);
  await rig.sweep();
  rig.clock.advance(10 * second);
  await rig.sweepAndWork();
  expect(await rig.row('late')).toMatchObject({ status: 'skipped' });
  rig.clock.advance(1.5 * minute);
  await rig.sweep();
  expect(await rig.circuit()).toBeUndefined();
});

test('a new address closes the circuit, and what that deferred goes there', async () => {
  const other = await loopbackPartner();
  await rig.openCircuit();
  await rig.changeAndWork('late');
  await rig.endpoints.change('bars', (seen) => ({
    endpoint: { ...(seen as Endpoint), url: other.url },
    event: { kind: 'endpoint.changed', atMs: rig.clock.now() },
  }));
  rig.clock.advance(10 * second);
  await rig.sweepAndWork();
  expect(other.states()).toContain('late DELIVERED');
});

test.each<[what: string, change: { url?: string; mode?: 'feed' }]>([
  ['an address that was replaced', { url: 'https://new.partner.example/status' }],
  ['the same address, while callbacks go to the feed', { mode: 'feed' }],
])('a late response of %s does nothing', async (_what, { url = rig.partner.url, ...change }) => {
  await rig.change('m1');
  const post = async () => {
    await rig.saveEndpoint(url, change);
    return { ok: false, error: 'status', httpStatus: 410, durationMs: 1_000 } as const;
  };
  await rig.work(rig.newWorker({ client: { post } }));
  const { endpoint, circuit } = await rig.endpoints.view('bars');
  expect(endpoint).toMatchObject({ status: 'enabled' });
  expect(circuit).toMatchObject({ failures: 0, openings: 0 });
  expect(await rig.row('m1')).toMatchObject({ status: 'waiting', tries: 1 });
});
