import { expect, test } from 'vitest';
import {
  endpointChange,
  fieldsOf,
  passwordHint,
  problemsOf,
} from '../../../console/pages/callbacks/endpoint-change.ts';
import { emptyList, replaySentence, restOf } from '../../../console/pages/callbacks/labels.ts';
import { haveEnded } from '../../../console/pages/callbacks/states.ts';
import { flowOf } from '../../../console/pages/overview/callback-flow.tsx';

const posted = {
  mode: 'post' as const,
  url: 'https://a.example/',
  basicLogin: 'wallet',
  timeoutSeconds: 15,
  log: 'all' as const,
};
const feed = { mode: 'feed' as const, timeoutSeconds: 15, log: 'all' as const };
const paced = { ...posted, maxPerSecond: 50, states: ['EXPIRED' as const, 'DELIVERED' as const] };
const { basicLogin: _none, ...open } = posted;
type Stored = Parameters<typeof fieldsOf>[0];
type Typed = Partial<ReturnType<typeof fieldsOf>>;

const elsewhere = 'https://b.example/';
const hiddenInFeed: Typed = { mode: 'feed', url: 'ftp://b', timeoutSeconds: '99', log: '' };
const required = { 'basic.login': 'Required', 'basic.password': 'Required' };

test.each<[what: string, stored: Stored, typed: Typed, problems: object]>([
  ['an address is required', undefined, { url: ' ' }, { url: 'Required' }],
  ['nothing typed', posted, {}, {}],
  ['rule 58: a feed needs no address', undefined, { mode: 'feed' }, {}],
  ['rule 58: what the form of a feed hides is not checked', posted, hiddenInFeed, {}],
  ['rule 58: back from a feed', feed, { mode: 'post' }, { url: 'Required' }],
  ['no state', posted, { states: [] }, { states: 'Choose at least one' }],
  ['no timeout', posted, { timeoutSeconds: '' }, { timeoutSeconds: 'Required' }],
  ['another login', posted, { basic: { login: 'other', password: '' } }, { 'basic.password': 'Required' }],
  ['new credentials', undefined, { url: posted.url, sendsBasic: true }, required],
  [
    'whole credentials',
    undefined,
    { url: posted.url, sendsBasic: true, basic: { login: 'w', password: 's' } },
    {},
  ],
  ['rule 51: another server', posted, { url: ` ${elsewhere} ` }, { 'basic.password': 'Required' }],
  ['rule 51: another port', posted, { url: 'https://a.example:8443/' }, { 'basic.password': 'Required' }],
  ['rule 51: another server that gets no credentials', posted, { url: elsewhere, sendsBasic: false }, {}],
  ...['https://a.example/other', ' https://A.example:443/', 'b.example'].map(
    (url): [string, Stored, Typed, object] => [`the same server, or no address: ${url}`, posted, { url }, {}],
  ),
])('the form of an endpoint marks what is wrong: %s', (_what, stored, typed, problems) => {
  expect(problemsOf({ ...fieldsOf(stored), ...typed }, stored)).toEqual(problems);
});

test.each<[what: string, stored: Stored, typed: Typed, sent: object]>([
  ['a new one takes what the stage does by itself', undefined, { url: ` ${elsewhere} ` }, { url: elsewhere }],
  ['nothing of what is stored already', posted, {}, {}],
  ['rule 58: a feed without an address', undefined, { mode: 'feed' }, { mode: 'feed' }],
  [
    'rule 58: nothing that the form of a feed hides',
    posted,
    { ...hiddenInFeed, states: ['OPENED'] },
    { mode: 'feed', states: ['OPENED'] },
  ],
  ['rule 58: the way back', feed, { mode: 'post', url: posted.url }, { mode: 'post', url: posted.url }],
  ['another timeout, without the password again', paced, { timeoutSeconds: ' 20 ' }, { timeoutSeconds: 20 }],
  ['a pace that is not there any more', paced, { maxPerSecond: '' }, { maxPerSecond: null }],
  ['no pace of 0 as no pace', paced, { maxPerSecond: '0' }, { maxPerSecond: 0 }],
  ['what is no number as it is', paced, { maxPerSecond: '1e999' }, { maxPerSecond: '1e999' }],
  ['no number in hexadecimal digits', paced, { maxPerSecond: '0x10' }, { maxPerSecond: '0x10' }],
  ['states in their order', paced, { states: ['EXPIRED', 'OPENED'] }, { states: ['OPENED', 'EXPIRED'] }],
  [
    'all states as no choice',
    paced,
    { states: ['EXPIRED', 'CANCELLED', 'OPENED', 'DELIVERED'] },
    { states: null },
  ],
  [
    'rule 51: another server with the password',
    posted,
    { url: elsewhere, basic: { login: 'wallet', password: 's' } },
    { url: elsewhere, basic: { login: 'wallet', password: 's' } },
  ],
  [
    'another server without credentials',
    posted,
    { url: elsewhere, sendsBasic: false },
    { url: elsewhere, basic: null },
  ],
  [
    'another login with its password',
    posted,
    { basic: { login: 'other', password: 's' } },
    { basic: { login: 'other', password: 's' } },
  ],
  ['credentials that end', posted, { sendsBasic: false }, { basic: null }],
])('the form of an endpoint sends %s', (_what, stored, typed, sent) => {
  expect(endpointChange({ ...fieldsOf(stored), ...typed }, stored)).toEqual(sent);
});

test('rule 51: a hint says whether the stored password stays', () => {
  expect(passwordHint({ ...fieldsOf(posted), url: elsewhere }, posted)).toBe(
    'The address is on another server, which must not get the stored password: type it again, or send none.',
  );
  expect(passwordHint(fieldsOf(posted), posted)).toBe('Leave it empty to keep the stored password.');
  expect(passwordHint(fieldsOf(open), open)).toBeUndefined();
});

test('an empty list says why: no message asked for callbacks, the log does not keep them, or the filters', () => {
  const every = { status: '', messageId: '', log: 'all' as const };
  expect(emptyList({ ...every, states: ['EXPIRED'] })).toBe(
    'No callback is listed. Send a message that asks for them (qos.deliveryStatusNotifications). Those that are delivered at once are listed for some days. The endpoint is told of EXPIRED only.',
  );
  expect(emptyList({ ...every, messageId: 'm', log: 'failures' })).toBe(
    'No callback of this message is listed. A message must ask for them (qos.deliveryStatusNotifications). Those that are delivered at once are not listed.',
  );
  expect(emptyList({ ...every, messageId: 'm', status: 'failed' })).toBe(
    'No callback matches. Choose another filter.',
  );
});

test('a replay goes on with the cursor, or with the messages that did not fit', () => {
  const body = { status: 'failed' as const, since: '2026-05-20T12:00:00Z' };
  expect(restOf(body, { replayed: 5_000, more: true, cursor: 'c' })).toEqual({ ...body, cursor: 'c' });
  const byId = { messageIds: ['a', 'b', 'c'] };
  expect(restOf(byId, { replayed: 1, more: true, notReplayed: ['b', 'c'] })).toEqual({
    messageIds: ['b', 'c'],
  });
});

test.each([
  [{ replayed: 1_200, more: true }, '1,200 callbacks are sent again. There are more: replay the rest.'],
  [
    { replayed: 0, more: false },
    'Nothing was replayed: there is no such callback, or all are being sent already.',
  ],
  [
    { replayed: 0, more: false, notFound: ['a', 'b'] },
    'Of 2 messages nothing can be replayed: callbacks that were delivered at once are only listed.',
  ],
  [
    { replayed: 1, more: false, notFound: ['a'] },
    '1 callback is sent again. Of 1 message nothing can be replayed: callbacks that were delivered at once are only listed.',
  ],
])('a replay says what it did, and what it could not do: %j', (outcome, sentence) => {
  expect(replaySentence(outcome)).toBe(sentence);
});

test('a message is not asked for again when the callbacks that its endpoint has chosen have ended', () => {
  const one = (state: 'DELIVERED' | 'OPENED' | 'EXPIRED', status: 'waiting' | 'delivered' | 'skipped') => ({
    ...{ messageId: 'm', msisdn: 79001234567, attempts: [] },
    state,
    status,
  });
  expect(haveEnded({ callbacks: [one('OPENED', 'delivered'), one('DELIVERED', 'skipped')] })).toBe(true);
  expect(haveEnded({ callbacks: [one('OPENED', 'delivered'), one('DELIVERED', 'waiting')] })).toBe(false);
  expect(haveEnded({ callbacks: [one('DELIVERED', 'delivered')] })).toBe(false);
  expect(haveEnded({ callbacks: [one('OPENED', 'delivered')] }, ['OPENED'])).toBe(true);
  expect(haveEnded({ callbacks: [one('OPENED', 'waiting')] }, ['OPENED'])).toBe(false);
  expect(haveEnded({ callbacks: [one('EXPIRED', 'delivered')] }, ['EXPIRED'])).toBe(true);
  expect(haveEnded({ callbacks: [one('EXPIRED', 'delivered')] }, ['DELIVERED', 'EXPIRED'])).toBe(false);
  expect(haveEnded(undefined)).toBe(false);
});

type Endpoint = NonNullable<Parameters<typeof flowOf>[0]>;
const healthy: Endpoint = {
  ...posted,
  status: 'ENABLED',
  circuit: { state: 'CLOSED' },
  waiting: 0,
  skipped: 3,
  secrets: [],
  notices: [],
};
const paused = { state: 'OPEN', reason: 'FAILURES' } as const;
const paceWaitingSince = '2026-05-20T12:00:00.000Z';

test.each<[flow: ReturnType<typeof flowOf>, endpoint: Partial<Endpoint>]>([
  ['sent', {}],
  ['retried', { waiting: 1 }],
  ['paced', { waiting: 1, paceWaitingSince }],
  ['tried', { waiting: 1, paceWaitingSince, circuit: { state: 'HALF_OPEN' } }],
  ['paused', { waiting: 1, paceWaitingSince, circuit: paused }],
  ['feed', { mode: 'feed', waiting: 1, circuit: paused }],
  ['disabled', { mode: 'feed', status: 'DISABLED', waiting: 1, circuit: paused }],
])('the picture of callbacks shows what keeps them most: %s', (flow, endpoint) => {
  expect(flowOf({ ...healthy, ...endpoint })).toBe(flow);
});
