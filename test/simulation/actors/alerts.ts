import { isDeepStrictEqual } from 'node:util';
import { ownerOf } from '../../../shared/callbacks/alerts-endpoint.ts';
import { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { CallbackRow } from '../../../shared/callbacks/rows/callback-store.ts';
import { AlertKind, Event } from '../../../shared/events/event.ts';
import { endpointPartition } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { eventsPartition } from '../../../shared/platform/table/row-keys/events.ts';
import { inForceWithinMs, spansOf } from '../circuit-history.ts';
import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { askFor } from '../endpoint-requests.ts';
import { check, entry, judged } from '../ledger.ts';
import type { Action } from '../plan.ts';
import { disabledUntold, failedUntold, toldTwice, toldWrongly, unlikeChanges } from '../told-endpoints.ts';
import { historyIn, type RowHistory } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';
import { alertsSettings, type SimulatedPartner, signatureOf, takenBy } from './partners.ts';

/** Rule 55: the kinds that are told to a partner that has not chosen any. */
const usualKinds = [
  'endpoint.failing',
  'endpoint.recovered',
  'endpoint.disabled',
  'callbacks.failed',
  'list.held',
  'list.failed',
] as const;

/** An event is fanned out this long after it was written at the latest, with what AWS does to the stream and its reader. */
const fannedOutMs = { calm: 60_000, faulty: 3_600_000 };

/** Rule 55: partners set where they are told what happens to them, and are told that and nothing else. */
export function createAlerts(world: World): Actor {
  const { partners, isCalm, isLong, histories } = world;

  /** The partner sets the address of its alerts, with a choice of kinds or without, or deletes it. */
  const set = async ({ who, variant }: Action): Promise<void> => {
    const server = partners.alerted[who] as SimulatedPartner;
    const rng = createRng('alerts', variant);
    if (rng.happens(0.2)) return askFor(world, server, { route: 'DELETE /alerts', settings: 'deleted' });
    const kinds = rng.pick([AlertKind.options, AlertKind.options, usualKinds, undefined]);
    const body = { url: `${server.url}/${variant}`, kinds };
    const settings = { ...alertsSettings, ...body, status: 'enabled' } as const;
    return askFor(world, server, { route: 'PUT /alerts', settings }, body);
  };

  const historyOf = (endpointId: string): RowHistory =>
    historyIn(histories('endpoint'), endpointPartition(endpointId));

  /** The settings that a fan-out may have seen between two times; `undefined` while there were none. */
  const seenIn = (settings: RowHistory, from: number, until: number) =>
    spansOf(settings)
      .filter((span) => span.from <= until && span.until >= from)
      .map(({ version: { row } }) => row && Endpoint.parse(row));

  return {
    does: { help: set, mode: set },
    ledger: (rows) => {
      const rowOf = new Map(
        rows('callback').map((row) => [String(row['messageId']), CallbackRow.parse(row)]),
      );
      const all = partners.alerted.flatMap((server) => {
        const { partnerId } = ownerOf(server.partnerId);
        const settings = historyOf(server.partnerId);
        const events = histories('event').flatMap(([first]) =>
          first?.row?.pk === eventsPartition(partnerId)
            ? [{ writtenAt: first.atMs, event: Event.parse(first.row) }]
            : [],
        );
        return { server, partnerId, settings, events, taken: new Set(takenBy(server)) };
      });
      const received = all.flatMap(({ server, events, settings, partnerId }) =>
        server.received.map(({ webhookId: id, atMs, request: { headers, body } }) => {
          const { event } = events.find(({ event: { eventId } }) => eventId === id) ?? {};
          return { id, atMs, event, headers, body, settings, partnerId };
        }),
      );
      const happened = all.flatMap(({ events, settings, taken }) =>
        events.map(({ event, writtenAt }) => {
          const until = writtenAt + (isCalm ? fannedOutMs.calm : fannedOutMs.faulty);
          const seen = seenIn(settings, writtenAt - inForceWithinMs - 2 * maxSkewMs, until);
          const isWanted = seen.map(
            (one) => one && (one.kinds ?? usualKinds).some((kind) => kind === event.kind),
          );
          return { event, isWanted, isTaken: taken.has(event.eventId) };
        }),
      );
      const untold = partners.endpoints.flatMap(({ partnerId }) => {
        const circuit = historyIn(histories('circuit'), endpointPartition(partnerId));
        return disabledUntold(historyOf(partnerId), circuit, world);
      });
      const failures = partners.all.flatMap(({ partnerId }) => failedUntold(partnerId, world));
      const isKept = (id: string) => ['failed', 'skipped'].includes(rowOf.get(id)?.status ?? '');
      return [
        check(
          'rule 55: every event of a wanted kind is told, or its alert is kept with its reason',
          happened,
          ({ event, isWanted, isTaken }) => isWanted.every(Boolean) && !isTaken && !isKept(event.eventId),
        ),
        check(
          'rule 55: no event is told that the partner has not asked for',
          happened,
          ({ isWanted, isTaken }) => isTaken && !isWanted.some(Boolean),
        ),
        check(
          'rule 55: an alert is signed, and says what its event is',
          received,
          ({ event, headers, body, settings, partnerId }) => {
            const { text, ...said } = JSON.parse(body);
            const { kind, at, data } = event ?? { at: 0 };
            const expected = { type: kind, timestamp: new Date(at).toISOString(), data };
            const secrets = settings.flatMap(({ row }) => (row ? Endpoint.parse(row).signingSecrets : []));
            const signatures = headers['webhook-signature']?.split(' ') ?? [];
            const isSigned = secrets.some(({ secret }) =>
              signatures.includes(signatureOf(Buffer.from(secret.slice(6), 'base64'), { headers, body })),
            );
            return !isSigned || !text.startsWith(`${partnerId}: `) || !isDeepStrictEqual(said, expected);
          },
        ),
        entry('rule 55: partners are told once of a failing, and before its end', histories('event').length, [
          ...toldWrongly(histories('event')),
          ...untold,
        ]),
        ...(isLong ? [judged('rule 55: partners are told how many callbacks failed', failures)] : []),
        entry('rule 55: an event is written once', histories('event').length, toldTwice(histories('event'))),
        entry(
          'rule 55: every change of an endpoint has its event, and none that was not made has one',
          partners.endpoints.length,
          partners.endpoints.flatMap(({ partnerId }) =>
            unlikeChanges(partnerId, historyOf(partnerId), histories('event')),
          ),
        ),
      ];
    },
  };
}
