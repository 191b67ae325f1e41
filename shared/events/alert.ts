import type { Event, EventKind } from './event.ts';

type Data = Event['data'];

/** What an event says in a sentence, without its end. */
const sentences: Record<EventKind | 'alerts.test', (data: Data) => string> = {
  'key.created': ({ login, role }) => `key ${login} was created with the role ${role}`,
  'key.rotated': ({ login, replaced }) =>
    `key ${login} got a second secret${replaced ? ', in place of the one before' : ''}`,
  'key.retired': ({ login }) => `the older secret of key ${login} was ended`,
  'key.deleted': ({ login }) => `key ${login} was deleted`,
  'endpoint.changed': ({ what }) => `callback endpoint: ${what}`,
  'endpoint.enabled': ({ what }) =>
    `the callback endpoint was enabled${what === 'enabled' ? '' : `: ${what}`}`,
  'endpoint.disabled': ({ reason }) =>
    `the callback endpoint was disabled (${reason}); its callbacks are kept 30 days for a replay`,
  'endpoint.failing': ({ what }) => `the callback endpoint is failing: ${what}`,
  'endpoint.recovered': ({ what }) => `the callback endpoint has recovered: ${what}`,
  'endpoint.examined': ({ what }) => `the receiver of callbacks was ${what}`,
  'callbacks.failed': ({ count }) =>
    `${count === 1 ? 'a callback' : `${count} callbacks`} failed every attempt; kept 30 days for a replay`,
  'list.finished': ({ offerId, sessionId, added, updated, removed }) =>
    `a list of ${offerId} added ${added}, updated ${updated} and removed ${removed} service points (session ${sessionId})`,
  'list.held': ({ offerId, sessionId, removalsHeld, received, rejected }) => {
    const isWhollyRejected = Number(received) > 0 && rejected === received;
    const why = isWhollyRejected
      ? ', which stay: every element was rejected, send them corrected'
      : '; they stay until you send it with confirmRemovals';
    return `a list of ${offerId} would remove ${removalsHeld} service points${why} (session ${sessionId})`;
  },
  'list.failed': ({ offerId, sessionId }) =>
    `a list of ${offerId} could not be processed, send it again (session ${sessionId})`,
  'send.scheduled': ({ messageId, deliverFrom }) =>
    `a send was planned for ${deliverFrom} (message ${messageId})`,
  'send.cancelled': ({ messageId, of }) => `a ${of} was taken back (message ${messageId})`,
  'promotion.created': ({ promoId }) => `promotion ${promoId} was created`,
  'promotion.updated': ({ promoId }) => `promotion ${promoId} was changed`,
  'alerts.changed': ({ what }) => `alerts: ${what}`,
  'limits.changed': ({ login, what, disabled, offerAdded, offerRemoved, offerId, ...data }) => {
    if (login !== undefined) return `limits of key ${login} were changed${what ? `: ${what}` : ''}`;
    if (disabled !== undefined) return `the account was ${disabled ? 'disabled' : 'enabled'}`;
    if (offerAdded !== undefined) return `offer ${offerAdded} was added to the account`;
    if (offerRemoved !== undefined) return `offer ${offerRemoved} was removed from the account`;
    if (offerId !== undefined) return `the lifetime of check-ins of ${offerId} ${lifetimeOf(data)}`;
    const agreed = Object.entries(data['limits'] ?? {}).map(([name, value]) => `${name} ${value}`);
    const now = agreed.length > 0 ? `, agreed now: ${agreed.join(', ')}` : '';
    return `limits of the account were changed${now}`;
  },
  'alerts.test': () => 'this is a test, alerts reach you here',
};

function lifetimeOf({ checkInLifetimeMs }: Data): string {
  if (checkInLifetimeMs === undefined) return 'is the default again';
  return `was set to ${Number(checkInLifetimeMs) / 60_000} minutes`;
}

/** What an event says, as the beginning of a sentence. */
export function sentenceOf({ kind, data }: { kind: EventKind | 'alerts.test'; data: Data }): string {
  return sentences[kind](data);
}

/**
 * The body of an alert: as Standard Webhooks suggests, with a `text` that an incoming webhook of Slack or Mattermost
 * shows. Those take `text` as a markup in which three characters are escaped.
 */
export function alertBody(
  partnerId: string,
  { at, kind, by, data }: Omit<Event, 'eventId' | 'kind'> & { kind: EventKind | 'alerts.test' },
): string {
  const doneBy = by === undefined ? '' : `, by ${by === 'operator' ? 'an operator' : by}`;
  const text = `${partnerId}: ${sentenceOf({ kind, data })}${doneBy}.`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return JSON.stringify({ type: kind, timestamp: new Date(at).toISOString(), data, text: escaped });
}
