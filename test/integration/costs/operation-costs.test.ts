import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { documented } from '../../../docs/generate/operations.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { smallBody } from '../../../shared/platform/http/request-body.ts';
import { memberNames } from '../../../shared/platform/validation/members/known-members.ts';
import { collectLines } from '../../support/log-lines.ts';
import { isCi } from '../../support/property-runs.ts';
import { type CostCase, worst } from './cost-case.ts';
import { costCases } from './cost-cases.ts';
import { costRig } from './cost-rig.ts';
import loggedFields from './logged-fields.json' with { type: 'json' };

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
function hostileNames(body: z.ZodMiniType, { bodyLimit = smallBody, requests = 1 }: Operation): CostCase[] {
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
      return { body: isList ? `[${object}]` : object };
    }),
  );
}

/** On a busy machine the dearest cases take half a minute. */
const longestMs = 120_000;

const operations = documented.map(({ operation }) => operation);

let rig: Awaited<ReturnType<typeof costRig>>;
beforeAll(async () => {
  rig = await costRig();
});
afterAll(() => rig.stop());

/** A laptop leaves those that take seconds of CPU to CI. */
function isMeasured({ cpu }: CostCase): boolean {
  return isCi || cpu === undefined;
}

/** Lines of every operation have these fields. */
const common =
  /^(?:_aws|code|durationMs|function|invocationId|message|outcome|Refused|refusal|requestId|service|statusCode)$/;

const logged: Record<string, string> = loggedFields;

const named = operations.flatMap((operation) =>
  [
    ...(costCases[operation.id] ?? []).filter(isMeasured),
    ...(operation.body ? hostileNames(operation.body, operation) : []),
  ].map((one) => [operation.id, one.worst, operation, one] as const),
);

test.each(named)(
  '%s: %s',
  async (id, _worst, operation, one: CostCase) => {
    const lines = collectLines();
    const { status, responseBytes, units, cpuMs, parseMs, boundMs } = await rig.measure(operation, one);
    expect(status).toBe(one.status ?? 200);
    // AWS's limit for the response of a function.
    expect(responseBytes).toBeLessThan(6_291_456);
    const [line = {}] = lines;
    const fields = Object.keys(line).filter((field) => !common.test(field));
    // Nothing is known yet of a request that is refused for its form.
    if (line['refusal'] !== 'REQUEST_INVALID') expect(fields.join(' ')).toBe(one.logs ?? logged[id]);
    const { read, write } = units;
    if (one.atMost === undefined) expect({ read, write }).toEqual(one.units);
    expect(read).toBeLessThanOrEqual(one.units.read);
    expect(write).toBeLessThanOrEqual(one.units.write);
    // Rule 48: so the 1,000 requests that a partner may make in 10 s take about the 3,000 units a second of one partition,
    // or of many less than a third of a table's 40,000.
    const { budget } = operation;
    const requests = one.requests ?? operation.requests ?? 1;
    const isOfOthers = operation.caller.authorization === 'basic' && budget === undefined && !one.isHeavy;
    if (isOfOthers) expect(Math.max(read, write)).toBeLessThanOrEqual((one.isSpread ? 120 : 35) * requests);
    const took = `${cpuMs.toFixed(1)} ms of CPU; parsing its larger text takes ${parseMs.toFixed(2)} ms`;
    expect(cpuMs, took).toBeLessThanOrEqual(boundMs);
  },
  longestMs,
);
