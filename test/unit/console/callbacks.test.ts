import { describe, expect, test } from 'vitest';
import { endpointChange, fieldsOf, problemsOf } from '../../../console/pages/callbacks/endpoint-change.ts';
import { replaySentence, responseOf } from '../../../console/pages/callbacks/labels.ts';
import { haveEnded } from '../../../console/parts/callbacks.ts';

describe('what is sent of the form of an endpoint', () => {
  const set = { url: 'https://a.example/', basicLogin: 'wallet', timeoutSeconds: 15, log: 'all' as const };

  test('a new one takes what the stage does by itself', () => {
    expect(endpointChange({ ...fieldsOf(undefined), url: ' https://b.example/ ' }, undefined)).toEqual({
      url: 'https://b.example/',
    });
  });

  test('a password that is not typed again stays', () => {
    expect(endpointChange(fieldsOf(set), set)).toEqual({
      url: 'https://a.example/',
      timeoutSeconds: 15,
      log: 'all',
    });
  });

  test('an address is required, and with HTTP Basic the login and a password that is not stored', () => {
    expect(problemsOf({ ...fieldsOf(undefined), url: ' ' }, undefined)).toEqual({ url: 'Required' });
    expect(problemsOf(fieldsOf(set), set)).toEqual({});
    expect(problemsOf({ ...fieldsOf(set), login: 'other' }, set)).toEqual({ password: 'Required' });
    expect(problemsOf({ ...fieldsOf(set), login: '' }, set)).toEqual({
      login: 'Required',
      password: 'Required',
    });
    const fresh = { ...fieldsOf(undefined), url: 'https://a.example', sendsBasic: true };
    expect(problemsOf(fresh, undefined)).toEqual({ login: 'Required', password: 'Required' });
    expect(problemsOf({ ...fresh, login: 'wallet', password: 's' }, undefined)).toEqual({});
  });

  test('a pace and states that are not there any more are ended', () => {
    const paced = { ...set, maxPerSecond: 50, states: ['OPENED' as const] };
    const fields = fieldsOf(paced);
    expect(endpointChange(fields, paced)).toMatchObject({ maxPerSecond: 50, states: ['OPENED'] });
    expect(endpointChange({ ...fields, maxPerSecond: '', states: [] }, paced)).toMatchObject({
      maxPerSecond: null,
      states: null,
    });
  });

  test('another login is sent with its password', () => {
    expect(endpointChange({ ...fieldsOf(set), login: 'other', password: 's' }, set)).toMatchObject({
      basic: { login: 'other', password: 's' },
    });
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

test('a message whose two callbacks have ended is not asked for again', () => {
  const one = (state: 'DELIVERED' | 'OPENED', status: 'waiting' | 'delivered' | 'skipped') => ({
    ...{ messageId: 'm', msisdn: 79001234567, attempts: [] },
    state,
    status,
  });
  expect(haveEnded({ callbacks: [one('OPENED', 'delivered'), one('DELIVERED', 'skipped')] })).toBe(true);
  expect(haveEnded({ callbacks: [one('OPENED', 'delivered'), one('DELIVERED', 'waiting')] })).toBe(false);
  expect(haveEnded({ callbacks: [one('DELIVERED', 'delivered')] })).toBe(false);
  expect(haveEnded(undefined)).toBe(false);
});
