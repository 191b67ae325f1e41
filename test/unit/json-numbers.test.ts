import { expect, test } from 'vitest';
import { restoreNumbers } from '../../shared/platform/json/numbers.ts';

function passedOn(text: string): string {
  return JSON.stringify(restoreNumbers(JSON.parse(text), text));
}

test.each([
  '9223372036854775807',
  '[1.10,1e400,-1e400,-0,0.0000001,1E5,1e300,1e+300,5e300,1.0]',
  '{"a":{"b":[{"c":12345678901234567890}]},"d":1.50}',
  '{"__proto__":1.10,"constructor":2.20}',
  '{"a":"1.10, \\"1e400","b":"\\\\","c":1.10}',
  '[0,1,-1,1.5,0.1,-0.25,123456789012345,9007199254740991]',
])('%s is passed on as it is', (text) => {
  expect(passedOn(text)).toBe(text);
});

test('each member has its own number, also when JavaScript orders the members', () => {
  expect(passedOn('{"2":1.10,"1":2.20}')).toBe('{"1":2.20,"2":1.10}');
});

test('of a member that is given twice the last counts', () => {
  expect(passedOn('{"a":1.10,"a":2.20}')).toBe('{"a":2.20}');
});

test('a value without numbers that would change is returned as it is, and stays ordinary', () => {
  const text = '{"lat":55.7558,"shelf":7,"text":"1.10"}';
  const value = JSON.parse(text);
  expect(restoreNumbers(value, text)).toBe(value);
  expect(value).toEqual({ lat: 55.7558, shelf: 7, text: '1.10' });
});

test('a text that is nested 100,000 levels deep does no harm', () => {
  const text = `[1.10,${'['.repeat(99_999)}1.10${']'.repeat(99_999)}]`;
  const [first] = restoreNumbers(JSON.parse(text), text);
  expect(JSON.stringify(first)).toBe('1.10');
});
