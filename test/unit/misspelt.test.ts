import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { protectedMembers } from '../../shared/platform/validation/members/known-members.ts';
import {
  type Elsewhere,
  misspeltMembers,
  unknownMembers,
} from '../../shared/platform/validation/members/misspelt.ts';

const schema = z.object({
  dryRun: z._default(z.boolean(), false),
  places: z.array(z.unknown()),
  deep: z.optional(z.array(z.object({ colour: z.nullable(z.string()) }))),
  free: z.optional(z.looseObject({ utmSource: z.string() })),
  qos: z.optional(z.looseObject({ deliveryStatusNotifications: z.boolean() }).register(protectedMembers)),
  dates: z.optional(z.object({ start: z.optional(z.string()), end: z.optional(z.nullable(z.string())) })),
});

function sentences(value: unknown, elsewhere?: Elsewhere): string[] {
  return misspeltMembers(schema, value, elsewhere).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
}

test.each(['dryrun', 'dry_run', 'd-r-y-run', 'dryRn', 'dryRunn', 'dryBun', 'drRyun'])(
  'rule 46: %s is nearly dryRun',
  (name) => {
    expect(sentences({ [name]: true })).toEqual([`${name}: unknown, did you mean dryRun?`]);
  },
);

test.each([
  'dry',
  'dryRunning',
  'runDry',
  'dyrnu',
  'dxyxun',
  'dxyruz',
  'drRxun',
  'drxyun',
  'constructor',
  '__proto__',
  'toString',
  '',
])('rule 46: %s is another member, and is ignored', (name) => {
  expect(sentences(JSON.parse(`{${JSON.stringify(name)}: true}`))).toEqual([]);
});

test.each([
  [{ dryRun: true, dryrun: false, dry_run: 1 }, []],
  [{ deep: [{ colour: 'red', color: 'red' }] }, []],
  [{ qos: { deliveryStatusNotifications: true, DeliveryStatusNotifications: false } }, []],
  [{ dates: { start: null, Start: 'x' } }, ['dates.Start: unknown, did you mean start?']],
  [
    { deep: [{ colour: 'red' }, { color: 'red' }], dryRun: true },
    ['deep.1.color: unknown, did you mean colour?'],
  ],
])(
  'rule 59: of %j only a member whose known one is absent from the same object is refused',
  (value, expected) => {
    expect(sentences(value)).toEqual(expected);
  },
);

test('rule 59: a known member is named once, for the first that resembles it', () => {
  expect(sentences({ dryrun: 1, dry_run: 2, Place: [], PLACES: [] })).toEqual([
    'dryrun: unknown, did you mean dryRun?',
    'Place: unknown, did you mean places?',
  ]);
});

test('a name may have a separator beside each letter, and is not compared if it has many more', () => {
  expect(sentences({ _p_l_a_c_e_s_: [] })).toEqual(['_p_l_a_c_e_s_: unknown, did you mean places?']);
  expect(sentences({ [`dryrun${'_'.repeat(100)}`]: true })).toEqual([]);
});

test('free objects and elements of any form are not looked into, but for protected members', () => {
  const qos = { ttl: 60, deliveryStatusNotification: true };
  expect(sentences({ places: [{ dryrun: 1 }], free: { utm_source: 'crm' }, qos })).toEqual([
    'qos.deliveryStatusNotification: unknown, did you mean deliveryStatusNotifications?',
  ]);
});

test('rule 57: unknown members are told once for all elements of a list, and no more than are wanted', () => {
  const value = {
    deep: [
      { a: 1, color: 2 },
      { a: 3, b: 4 },
    ],
    c: 5,
    d: 6,
    e: 7,
  };
  const told = (most: number) =>
    unknownMembers(schema, value, most).map(({ path, message }) => `${path.join('.')}: ${message}`);
  const all = [
    'deep.0.a: unknown, ignored',
    'deep.0.color: unknown, did you mean colour?',
    'deep.1.b: unknown, ignored',
    ...['c', 'd', 'e'].map((name) => `${name}: unknown, ignored`),
  ];
  for (const most of [1, 2, 3, 4, 5, 6, 7]) expect(told(most)).toEqual(all.slice(0, most));
});

test('rule 61: a misplaced null is told only where it would have an effect in its place', () => {
  expect(sentences({ start: null, end: null })).toEqual(['end: unknown here, send it as dates.end']);
  expect(sentences({ start: 'x' })).toEqual(['start: unknown here, send it as dates.start']);
});

test('a member that another part takes is told where it belongs', () => {
  const advice = (name: string) => `send it in the query: ?${name}=`;
  expect(sentences({ Limit: 3 }, { names: ['limit'], advice })).toEqual([
    'Limit: unknown here, send it in the query: ?limit=',
  ]);
  // Rule 61.
  expect(sentences({ Limit: null }, { names: ['limit'], advice })).toEqual([]);
  // What is known here belongs here, and is not looked for elsewhere.
  expect(sentences({ dryRun: true, dryrun: true }, { names: ['dryRun'], advice })).toEqual([]);
});
