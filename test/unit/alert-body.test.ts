import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { alertBody, sentenceOf } from '../../shared/events/alert.ts';
import { EventData, type EventKind } from '../../shared/events/event.ts';

const login = '<'.repeat(64);
const id = '&'.repeat(64);
const count = Number.MAX_SAFE_INTEGER;

/** The longest that each kind of event can say. */
const longest: Record<EventKind | 'alerts.test', Record<string, unknown>> = {
  'key.created': { login, role: 'cash-desk', label: '>'.repeat(100) },
  'key.rotated': { login },
  'key.retired': { login },
  'key.deleted': { login },
  'endpoint.changed': {
    what: 'mode (feed), address, HTTP Basic, timeout, log, pace (1000 a second), states changed',
  },
  'endpoint.enabled': { what: 'enabled' },
  'endpoint.disabled': { what: 'disabled: failing for 5 days', reason: 'failing for 5 days' },
  'endpoint.failing': { what: 'nothing was delivered for 4 days: a day later it is disabled' },
  'endpoint.recovered': { what: 'what waited is delivered again' },
  'endpoint.examined': {
    what: `examined: ${'SIGNATURE_MISSING, '.repeat(14)}failed`,
  },
  'callbacks.failed': { count },
  'list.finished': { offerId: id, sessionId: id, added: count, updated: count, removed: count },
  'list.held': {
    ...{ offerId: id, sessionId: id, added: count, updated: count, removed: 0 },
    ...{ removalsHeld: count, received: count, rejected: count },
  },
  'list.failed': { offerId: id, sessionId: id },
  'send.scheduled': { messageId: id, deliverFrom: '2026-05-20T12:00:00.000Z' },
  'send.cancelled': { messageId: id, of: 'message' },
  'promotion.created': { promoId: count },
  'promotion.updated': { promoId: count, members: Array(20).fill('discountDescription') },
  'alerts.changed': { what: `address (${'a'.repeat(253)}) changed` },
  'limits.changed': { limits: { recipientsPerMinute: count, bulkRecipients: count, offerId: id } },
  'alerts.test': {},
};

test('rule 55: the OpenAPI document names every member of data', () => {
  const described = z.globalRegistry.get(EventData)?.description ?? '';
  const members = Object.values(longest).flatMap((data) => Object.keys(data));
  expect(members.filter((member) => !new RegExp(`[:,] ${member}\\b`).test(described))).toEqual([]);
});

// An incoming webhook of Slack takes a `text` of up to 40,000 characters, and a message below 4,000 is shown whole.
test.each(Object.entries(longest) as [EventKind, Record<string, unknown>][])(
  'rule 55: an alert of %s is a sentence that a chat shows whole, below 4 kB',
  (kind, data) => {
    const body = alertBody(id, { at: 1_800_000_000_000, kind, by: login, data });
    const { text, ...rest } = JSON.parse(body);
    expect(rest).toEqual({ type: kind, timestamp: '2027-01-15T08:00:00.000Z', data });
    expect(text).toMatch(/^(&amp;){64}: .+, by (&lt;){64}\.$/);
    expect(text).not.toMatch(/undefined|[<>\n]|&(?!amp;|lt;|gt;)/);
    expect(Buffer.byteLength(body)).toBeLessThan(4_000);
  },
);

test.each([
  [{ received: 0, rejected: 0 }, '; they stay until you send it with confirmRemovals'],
  [{ received: 3, rejected: 2 }, '; they stay until you send it with confirmRemovals'],
  // Events that an earlier release wrote have no such counts.
  [{}, '; they stay until you send it with confirmRemovals'],
  [{ received: 3, rejected: 3 }, ', which stay: every element was rejected, send them corrected'],
  [{ received: 1, rejected: 1 }, ', which stay: every element was rejected, send them corrected'],
])('rule 55: an alert of held removals with %j says what to do', (counts, advice) => {
  const data = { offerId: 'shop', sessionId: 's1', removalsHeld: 40, ...counts };
  expect(sentenceOf({ kind: 'list.held', data })).toBe(
    `a list of shop would remove 40 service points${advice} (session s1)`,
  );
});

test.each([
  ['key.rotated', { login: 'till' }, 'key till got a second secret'],
  [
    'key.rotated',
    { login: 'till', replaced: true },
    'key till got a second secret, in place of the one before',
  ],
  ['limits.changed', { login: 'till' }, 'limits of key till were changed'],
  [
    'limits.changed',
    { login: 'till', what: 'offers (bars), service points (no limit)' },
    'limits of key till were changed: offers (bars), service points (no limit)',
  ],
  [
    'limits.changed',
    { offerId: 'bars', checkInLifetimeMs: 1_800_000 },
    'the lifetime of check-ins of bars was set to 30 minutes',
  ],
  ['limits.changed', { offerId: 'bars' }, 'the lifetime of check-ins of bars is the default again'],
  [
    'limits.changed',
    { limits: { pushesPerMinute: 5_000, removalPercent: 20 } },
    'limits of the account were changed, agreed now: pushesPerMinute 5000, removalPercent 20',
  ],
  ['limits.changed', { disabled: true }, 'the account was disabled'],
  ['limits.changed', { disabled: false }, 'the account was enabled'],
  ['limits.changed', { offerAdded: 'bars' }, 'offer bars was added to the account'],
  ['limits.changed', { offerRemoved: 'bars' }, 'offer bars was removed from the account'],
  ['limits.changed', { limits: {} }, 'limits of the account were changed'],
] as const)('rule 55: the sentence of %s with %j', (kind, data, sentence) => {
  expect(sentenceOf({ kind, data })).toBe(sentence);
});
