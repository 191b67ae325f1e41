import { ownerOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { eventsPartition } from '../../shared/platform/table/row-keys/events.ts';
import { isDisabled, numberIn, spansOf } from './circuit-history.ts';
import type { Case } from './ledger.ts';
import type { RowHistory, Version } from './watch-rows.ts';
import type { World } from './world.ts';

type Told = {
  pk: string;
  kind: string;
  at: number;
  data: { what?: string; reason?: string; sessionId?: string; count?: number };
};

/** Events in the order in which they were written, with when that was. */
function eventsIn(histories: readonly RowHistory[]) {
  return histories.map(([first]) => ({ atMs: first?.atMs, event: first?.row as unknown as Told }));
}

/**
 * Returns the events of endpoints that tell what they may not: a recovery without a failing before it, the same failing
 * twice, a disabling of what is disabled, or one for its age without a failing.
 */
export function toldWrongly(histories: readonly RowHistory[]): string[] {
  const wrong: string[] = [];
  const told = new Map<string, Set<string>>();
  const disabled = new Set<string>();
  for (const { event } of eventsIn(histories)) {
    const { pk, kind, data } = event;
    const { what = '', reason } = data;
    const failing = told.get(pk) ?? new Set();
    told.set(pk, failing);
    const isTwice =
      (kind === 'endpoint.failing' && failing.has(what)) ||
      (kind === 'endpoint.disabled' && disabled.has(pk));
    const isUnannounced =
      failing.size === 0 && (kind === 'endpoint.recovered' || reason === 'failing for 5 days');
    if (isTwice || isUnannounced) wrong.push(JSON.stringify(event));
    if (kind === 'endpoint.failing') failing.add(what);
    if (kind === 'endpoint.disabled') disabled.add(pk);
    if (kind === 'endpoint.enabled') disabled.delete(pk);
    // Enabling, another address and another mode close the circuit, which is then not failing.
    const isOther = kind === 'endpoint.changed' && /address|mode/.test(what);
    if (isOther || kind === 'endpoint.recovered' || kind === 'endpoint.enabled') failing.clear();
  }
  return wrong;
}

/** Returns events that say what another event of the partner has said: a list has one, and so has a step at a time. */
export function toldTwice(histories: readonly RowHistory[]): string[] {
  const told = new Set<string>();
  return eventsIn(histories).flatMap(({ event: { pk, kind, at, data } }) => {
    const what = data.sessionId ? `${pk} ${data.sessionId}` : `${pk} ${kind} ${at} ${JSON.stringify(data)}`;
    if (told.has(what)) return [what];
    told.add(what);
    return [];
  });
}

/** An endpoint has failed for this long a day before that disables it, or in short runs 20 minutes before. */
const nearlyAgedMs = { short: 2_400_000, long: 345_600_000 };
/** A partner is told that its endpoint fails when the circuit is open for this long. */
const openTooLongMs = 900_000;

/**
 * Returns what is disabled for its age although its partner was not told of the failure after which it was nearly that
 * old. Before the partner is told that the circuit is open for too long, nothing is told.
 */
export function disabledUntold(
  settings: RowHistory,
  circuit: RowHistory,
  { histories, isLong }: World,
): string[] {
  const nearlyMs = nearlyAgedMs[isLong ? 'long' : 'short'];
  const lastsFrom = (version: Version | undefined, field: 'failingSince' | 'firstOpenedAt') =>
    numberIn(version, 'lastFailureAt') - Number(version?.row?.[field] ?? Number.POSITIVE_INFINITY);
  return spansOf(settings).flatMap(({ version: { row, atMs }, before }) => {
    if (row?.['disabledReason'] !== 'failing for 5 days' || isDisabled(before?.row)) return [];
    const aged = spansOf(circuit).findLast(
      ({ version, before: last, from }) =>
        from <= atMs &&
        lastsFrom(version, 'failingSince') >= nearlyMs &&
        !(lastsFrom(last, 'failingSince') >= nearlyMs),
    );
    if (!aged || !(lastsFrom(aged.before, 'firstOpenedAt') > openTooLongMs)) return [];
    const isTold = eventsIn(histories('event')).some(
      (one) => one.atMs === aged.from && one.event.data.what?.includes('4 days'),
    );
    return isTold ? [] : [JSON.stringify([aged.version, row])];
  });
}

/**
 * Judges whether a partner is told of as many callbacks as failed their last attempt. A killed function may count one
 * again.
 */
export function failedUntold(partnerId: string, { histories, isCalm }: World): Case[] {
  const failed = histories('callback')
    .flatMap(spansOf)
    .filter(({ version: { row }, before }) => {
      const isNew = row?.['status'] === 'failed' && before?.row?.['status'] !== 'failed';
      return isNew && row['partnerId'] === partnerId;
    });
  const told = eventsIn(histories('event')).flatMap(({ event: { pk, kind, data } }) =>
    pk === eventsPartition(partnerId) && kind === 'callbacks.failed' ? [data.count ?? 0] : [],
  );
  const count = told.reduce((sum, one) => sum + one, 0);
  const isRight = isCalm ? count === failed.length : count >= failed.length;
  if (failed.length === 0) return [];
  return [isRight ? undefined : `${partnerId}: ${count} of ${failed.length}`];
}

const ofSettings = ['endpoint.changed', 'endpoint.enabled', 'endpoint.disabled'];
/** The event says this of an endpoint that was enabled already: only its circuit has changed. */
const ofCircuit = 'what waited is tried again';

/** Compares the changes of an endpoint's settings with its events, which are written at the same moment or not at all. */
export function unlikeChanges(
  endpointId: string,
  settings: RowHistory,
  histories: readonly RowHistory[],
): string[] {
  const { partnerId, isAlerts } = ownerOf(endpointId);
  // What the circuit of alerts tells is `alerts.changed` too.
  const isOfSettings = ({ kind, data }: Told) =>
    isAlerts
      ? kind === 'alerts.changed' && !data.what?.includes('delivered')
      : ofSettings.includes(kind) && data.what !== ofCircuit;
  const told = eventsIn(histories).filter(
    ({ event }) => event.pk === eventsPartition(partnerId) && isOfSettings(event),
  );
  // The first version is older than the run. A call that is repeated leaves the same version again.
  const changes = spansOf(settings)
    .slice(1)
    .filter(({ version, before }) => version.row?.['version'] !== before?.row?.['version'])
    .map(({ version }) => version.atMs);
  const events = told.map(({ atMs }) => atMs);
  return changes.join() === events.join() ? [] : [`${endpointId}: ${events} instead of ${changes}`];
}
