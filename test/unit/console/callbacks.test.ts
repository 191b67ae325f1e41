import { describe, expect, test } from 'vitest';
import {
  endpointChange,
  fieldsOf,
  passwordHint,
  problemsOf,
} from '../../../console/pages/callbacks/endpoint-change.ts';
import { replaySentence, responseOf, restOf } from '../../../console/pages/callbacks/labels.ts';
import { haveEnded } from '../../../console/parts/callbacks.ts';

describe('what is sent of the form of an endpoint', () => {
  const posted = { mode: 'post' as const, url: 'https://a.example/', basicLogin: 'wallet' };
  const set = { ...posted, timeoutSeconds: 15, log: 'all' as const };

  test('a new one takes what the stage does by itself', () => {
    expect(endpointChange({ ...fieldsOf(undefined), url: ' https://b.example/ ' }, undefined)).toEqual({
      url: 'https://b.example/',
    });
  });

  test('rule 58: a feed needs no address, and what the form hides then is neither checked nor sent', () => {
    const fresh = { ...fieldsOf(undefined), mode: 'feed' as const };
    expect(problemsOf(fresh, undefined)).toEqual({});
    expect(endpointChange(fresh, undefined)).toEqual({ mode: 'feed' });
    const typed = {
      ...fieldsOf(set),
      mode: 'feed' as const,
      url: 'ftp://b',
      timeoutSeconds: '99',
      log: '' as const,
    };
    expect(problemsOf(typed, set)).toEqual({});
    expect(endpointChange({ ...typed, states: ['OPENED'] }, set)).toEqual({
      mode: 'feed',
      states: ['OPENED'],
    });
    expect(problemsOf({ ...typed, states: [] }, set)).toEqual({ states: 'Choose at least one' });
    const feed = { mode: 'feed' as const, timeoutSeconds: 15, log: 'all' as const };
    const back = { ...fieldsOf(feed), mode: 'post' as const };
    expect(problemsOf(back, feed)).toEqual({ url: 'Required' });
    expect(endpointChange({ ...back, url: 'https://a.example/' }, feed)).toEqual({
      mode: 'post',
      url: 'https://a.example/',
    });
  });

  test('nothing is sent of what is stored already, and a password that is not typed again stays', () => {
    expect(endpointChange(fieldsOf(set), set)).toEqual({});
    const paced = { ...set, maxPerSecond: 50, states: ['EXPIRED' as const, 'DELIVERED' as const] };
    expect(endpointChange({ ...fieldsOf(paced), timeoutSeconds: ' 20 ' }, paced)).toEqual({
      timeoutSeconds: 20,
    });
  });

  test.each(['2.5', '1e3', 'abc', '0', '-1', '1001', '١'])('a pace of %s is refused as it is', (typed) => {
    expect(problemsOf({ ...fieldsOf(set), maxPerSecond: typed }, set)).toEqual({
      maxPerSecond: 'Must be a whole number from 1 to 1,000',
    });
  });

  test('a timeout is a whole number of seconds, which a stored endpoint must have', () => {
    expect(problemsOf({ ...fieldsOf(set), timeoutSeconds: '31' }, set)).toEqual({
      timeoutSeconds: 'Must be a whole number from 1 to 30',
    });
    expect(problemsOf({ ...fieldsOf(set), timeoutSeconds: '' }, set)).toEqual({ timeoutSeconds: 'Required' });
  });

  test('a chosen state is shown and sent as it is, all of them are no choice, and none is refused', () => {
    const chosen = { ...set, states: ['EXPIRED' as const] };
    const fields = fieldsOf(chosen);
    expect(fields.states).toEqual(['EXPIRED']);
    expect(endpointChange({ ...fields, states: ['EXPIRED', 'OPENED'] }, chosen)).toEqual({
      states: ['OPENED', 'EXPIRED'],
    });
    expect(
      endpointChange({ ...fields, states: ['EXPIRED', 'CANCELLED', 'OPENED', 'DELIVERED'] }, chosen),
    ).toEqual({
      states: null,
    });
    expect(fieldsOf(set).states).toEqual(['DELIVERED', 'OPENED', 'EXPIRED', 'CANCELLED']);
    expect(problemsOf({ ...fields, states: [] }, chosen)).toEqual({ states: 'Choose at least one' });
  });

  test('an address is required, and with HTTP Basic the login and a password that is not stored', () => {
    expect(problemsOf({ ...fieldsOf(undefined), url: ' ' }, undefined)).toEqual({ url: 'Required' });
    expect(problemsOf(fieldsOf(set), set)).toEqual({});
    expect(problemsOf({ ...fieldsOf(set), basic: { login: 'other', password: '' } }, set)).toEqual({
      'basic.password': 'Required',
    });
    expect(problemsOf({ ...fieldsOf(set), basic: { login: '', password: '' } }, set)).toEqual({
      'basic.login': 'Required',
      'basic.password': 'Required',
    });
    const fresh = { ...fieldsOf(undefined), url: 'https://a.example', sendsBasic: true };
    expect(problemsOf(fresh, undefined)).toEqual({ 'basic.login': 'Required', 'basic.password': 'Required' });
    expect(problemsOf({ ...fresh, basic: { login: 'wallet', password: 's' } }, undefined)).toEqual({});
  });

  test('a pace that is not there any more is ended', () => {
    const paced = { ...set, maxPerSecond: 50 };
    expect(endpointChange({ ...fieldsOf(paced), maxPerSecond: '' }, paced)).toEqual({ maxPerSecond: null });
  });

  test('another login is sent with its password', () => {
    expect(endpointChange({ ...fieldsOf(set), basic: { login: 'other', password: 's' } }, set)).toMatchObject(
      {
        basic: { login: 'other', password: 's' },
      },
    );
  });

  test('rule 51: an address on another server needs the password again, or no credentials', () => {
    const moved = { ...fieldsOf(set), url: ' https://b.example/ ' };
    expect(problemsOf(moved, set)).toEqual({ 'basic.password': 'Required' });
    expect(passwordHint(moved, set)).toBe(
      'The address is on another server, which must not get the stored password: type it again, or send none.',
    );
    expect(endpointChange({ ...moved, basic: { login: 'wallet', password: 's' } }, set)).toEqual({
      url: 'https://b.example/',
      basic: { login: 'wallet', password: 's' },
    });
    const without = { ...moved, sendsBasic: false };
    expect(problemsOf(without, set)).toEqual({});
    expect(endpointChange(without, set)).toEqual({ url: 'https://b.example/', basic: null });
    const { basicLogin: _none, ...open } = set;
    expect(problemsOf({ ...fieldsOf(open), url: 'https://b.example/' }, open)).toEqual({});
    expect(passwordHint(fieldsOf(open), open)).toBeUndefined();
  });

  test('an address on the same server keeps the password, and so does one that is no address', () => {
    for (const url of [
      'https://a.example/other',
      ' https://A.example:443/',
      'b.example',
      'ftp://b.example',
      'https://',
    ])
      expect(problemsOf({ ...fieldsOf(set), url }, set)).toEqual({});
    expect(passwordHint(fieldsOf(set), set)).toBe('Leave it empty to keep the stored password.');
  });

  test('credentials that are not sent any more are ended', () => {
    expect(endpointChange({ ...fieldsOf(set), sendsBasic: false }, set)).toMatchObject({ basic: null });
    expect(endpointChange(fieldsOf(undefined), undefined)).not.toHaveProperty('basic');
  });
});

test('an attempt says how the endpoint responded', () => {
  expect(responseOf({ httpStatus: 200 })).toBe('HTTP 200');
  expect(responseOf({ httpStatus: 503, error: 'status' })).toBe('HTTP 503 instead of 2xx');
  expect(responseOf({ error: 'connect' })).toBe('no connection');
});

test('a replay says how many, and whether there are more', () => {
  expect(replaySentence({ replayed: 0, more: false })).toContain('Nothing was replayed');
  expect(replaySentence({ replayed: 1, more: false })).toBe('1 callback is sent again.');
  expect(replaySentence({ replayed: 5_000, more: true })).toBe(
    '5,000 callbacks are sent again. There are more: replay the rest.',
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
