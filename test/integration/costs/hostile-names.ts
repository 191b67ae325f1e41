import type * as z from 'zod/mini';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { smallBody } from '../../../shared/platform/http/request-body.ts';
import { memberNames } from '../../../shared/platform/validation/members/known-members.ts';
import { type CostCase, worst } from './cost-case.ts';
import { by } from './cost-partner.ts';

/** A larger list would take the test seconds, and tell no more. */
const mostBytes = 6_000_000;

/** The name with other separators between its letters for each `n`. */
function separated(name: string, n: number): string {
  return [...name].map((letter, at) => `${letter}${(n >> (at % 20)) & 1 ? '_' : '-'}`).join('');
}

/** Ways to spell the name of a member so that comparing costs the most, another one for each `n`. */
const spellings: readonly (readonly [what: string, spell: (name: string, n: number) => string])[] = [
  ['names that are almost known', (name, n) => `${separated(name, n)}zz`],
  ['misspelt names', (name, n) => `${separated(name, n)}z`],
  ['names of separators', (name, n) => `${'_'.repeat(n)}${name}zz`],
];

type Spelling = (typeof spellings)[number][1];

/** An object of this size, whose last member is misspelt in any case. */
function objectOf(names: readonly string[], spell: Spelling, bytes: number): string {
  const last = `"${names[0]}z":1`;
  const members: string[] = [];
  for (let left = bytes - last.length - 4, n = 0; left > 0; n++) {
    const member = `"${spell(String(names[n % names.length]), n)}":1`;
    left -= member.length + 1;
    if (left > 0) members.push(member);
  }
  return `{${[...members, last].join(',')}}`;
}

/** The largest bodies of names that an operation has to compare with those of its members. It refuses them. */
export function hostileNames(
  body: z.ZodMiniType,
  { bodyLimit = smallBody, requests = 1 }: Operation,
): CostCase[] {
  const bytes = Math.min(mostBytes, bodyLimit.gunzippedBytes);
  const { def } = (body as unknown as z.core.$ZodTypes)._zod;
  const isList = def.type === 'array';
  // The Idempotency-Key is taken, and given back. A request that counts as more than three is reported at once.
  const write = requests > 3 || bytes > 4_000_000 ? 3 : 2;
  // The first costs the most. A laptop is spared the others, which take seconds over all operations.
  const tried = process.env['CI'] ? spellings : spellings.slice(0, 1);
  return tried.map(([what, spell]) =>
    worst(`${bytes.toLocaleString('en-US')} bytes of ${what}`, { status: 400, write }, () => {
      const object = objectOf(memberNames(isList ? def.element : body), spell, bytes - 2);
      return { ...by('bars'), body: isList ? `[${object}]` : object };
    }),
  );
}
