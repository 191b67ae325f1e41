import * as z from 'zod/mini';
import { described, named } from '../platform/validation/documented.ts';

/** The kinds of events that can be sent as alerts. They have no schema of their own: Go cannot have a value in two. */
export const AlertKind = z.enum([
  'key.created',
  'key.rotated',
  'key.retired',
  'key.deleted',
  'endpoint.changed',
  'endpoint.enabled',
  'endpoint.disabled',
  'endpoint.failing',
  'endpoint.recovered',
  'endpoint.examined',
  'callbacks.failed',
  'list.finished',
  'list.held',
  'list.failed',
  'send.scheduled',
  'send.cancelled',
  'promotion.created',
  'promotion.updated',
  'limits.changed',
]);
export type AlertKind = z.infer<typeof AlertKind>;

/** An event says what has changed or gone wrong in a partner's account. A change of the alerts causes no alert. */
export const EventKind = z
  .enum([...AlertKind.options, 'alerts.changed'])
  .register(z.globalRegistry, { id: 'EventKind' });
export type EventKind = z.infer<typeof EventKind>;

/** Rule 55: the kinds that are sent to a partner that has not chosen any. */
export const standardAlertKinds: readonly AlertKind[] = [
  'endpoint.failing',
  'endpoint.recovered',
  'endpoint.disabled',
  'callbacks.failed',
  'list.held',
  'list.failed',
];

/** What a change is about. Never a secret, a password, a phone or card number. */
export const EventData = z.record(z.string(), z.unknown()).register(z.globalRegistry, {
  id: 'EventData',
  description: [
    'What it is about; more members may follow',
    'key.*: login; key.created: role, label; key.rotated: replaced, if it took the place of the newer of two',
    'endpoint.*, alerts.changed: what; endpoint.disabled: reason',
    'callbacks.failed: count',
    'list.*: offerId, sessionId; list.finished, list.held: added, updated, removed; list.held: removalsHeld, received, rejected',
    'send.*: messageId; send.scheduled: deliverFrom; send.cancelled: of, message or send',
    'promotion.*: promoId; promotion.updated: members',
    'limits.changed: limits, disabled, offerAdded, offerRemoved, offerId with checkInLifetimeMs, or login of a key with what',
  ].join('. '),
});

/** Who changed something and when; `by` is the key's login, `operator`, or absent for the service itself. */
export type Occasion = { by?: string | undefined; atMs: number };

/** An event that has not been stored. */
export type NewEvent = Occasion & { kind: EventKind; data?: z.infer<typeof EventData> | undefined };

export const Event = z.object({
  eventId: z.string(),
  at: z.int(),
  kind: EventKind,
  by: z.optional(z.string()),
  data: z._default(EventData, {}),
});
export type Event = z.infer<typeof Event>;

export const ShownEvent = named('Event', {
  eventId: z.uuid(),
  time: z.iso.datetime(),
  kind: EventKind,
  by: described(
    z.optional(z.string()),
    'The login of the key, or operator; not there where the service itself did it',
  ),
  data: EventData,
});

export function shownEvent({ at, ...event }: Event): z.input<typeof ShownEvent> {
  return { ...event, time: new Date(at).toISOString() };
}
