import { afterAll, beforeAll, expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { collectLines } from '../../support/log-lines.ts';
import { isCi } from '../../support/property-runs.ts';
import type { CostCase } from './cost-case.ts';
import { costCases } from './cost-cases.ts';
import { costRig } from './cost-rig.ts';
import { hostileNames } from './hostile-names.ts';
import loggedFields from './logged-fields.json' with { type: 'json' };

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
    const { status, units, cpuMs, parseMs, boundMs } = await rig.measure(operation, one);
    expect(status).toBe(one.status ?? 200);
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
