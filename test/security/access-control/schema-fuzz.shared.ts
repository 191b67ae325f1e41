import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs, seed } from '../../support/property-runs.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { invalidFor } from './against-schema.ts';
import { validFor } from './from-schema.ts';
import {
  components,
  createFuzzer,
  type Fuzzer,
  maybeGzipped,
  type Target,
  targets,
  validPath,
} from './fuzz.ts';

let fixture: AccessFixture;
let fuzzer: Fuzzer;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
  fuzzer = createFuzzer(fixture);
});
afterAll(() => {
  console.log(`Requests made from the OpenAPI document: ${fuzzer.count()}, seed ${seed}`);
});

/** With fewer runs, some route would accept none of its requests. */
const allowedRuns = Math.max(30, runs(30));
const refusedRuns = runs(12);

function byRoute(list: readonly Target[]) {
  return list.map((target) => [target.route, target] as const);
}

const withBody = targets.filter(({ body }) => body !== undefined);

async function statusesFor(
  target: Target,
  request: fc.Arbitrary<[path: string, body?: unknown, gzip?: boolean]>,
  numRuns: number,
) {
  const statuses = new Set<number>();
  const property = fc.asyncProperty(request, async ([path, body, gzip = false]) => {
    const sent = body === undefined ? {} : maybeGzipped(JSON.stringify(body), gzip);
    const { status } = await fuzzer.sendAndCheck(target, { path, ...sent });
    statuses.add(status);
  });
  await fc.assert(property, { seed, numRuns });
  return [...statuses].sort();
}

describe('what the document allows', () => {
  test.each(byRoute(targets))('%s accepts, or refuses as documented', async (_route, target) => {
    // Requests of another route may have disabled the endpoint, rotated its secret, or created the most keys allowed.
    await (target.operation.id === 'RetireEndpointSecret' ? fixture.signedByTwo() : fixture.signedByOne());
    await fixture.roomForKeys();
    await fixture.withAlerts();
    await fixture.roomForTests();
    const body = target.body ? validFor(target.body, components) : fc.constant(undefined);
    const statuses = await statusesFor(target, fc.tuple(validPath(target), body, fc.boolean()), allowedRuns);
    const undocumented = statuses.filter((status) => !target.statuses.includes(status));
    expect(undocumented).toEqual([]);
    // Requests to these operations have random ids, which do not exist. Every other route accepts some of its requests.
    const withRandomId = [
      'GetSync',
      'GetDeliveryHistory',
      'GetSendReport',
      'CancelPush',
      'RotateKey',
      'RetireKey',
      'DeleteKey',
      'OpenPhoneMessage',
      'TakeSandboxCallback',
    ];
    const takesRandomId = withRandomId.includes(target.operation.id);
    // A redemption that is understood is no mismatch only if its random secretCode and placeId are right.
    const redeems = target.operation.id === 'RegisterCheckIn';
    // A random text is no address.
    const needsAddress = target.operation.id === 'PutAlerts';
    expect(statuses).toContain(takesRandomId ? 404 : redeems ? 409 : needsAddress ? 400 : 200);
    // The body of a check-in or a key may name an offer of any partner.
    const namesOffers = ['OpenSandboxCheckIn', 'CreateKey'].includes(target.operation.id);
    const refused = namesOffers ? [401] : [401, 403];
    expect(statuses.filter((status) => refused.includes(status) || status >= 500)).toEqual([]);
  });
});

describe('what the document does not allow', () => {
  test.each(byRoute(withBody))('%s refuses with 400', async (_route, target) => {
    const invalid = target.body && invalidFor(target.body, components);
    if (!invalid) throw new Error('there is a body, but nothing that could be wrong with it');
    const bodies = invalid.filter((body) => body !== undefined);
    expect(await statusesFor(target, fc.tuple(validPath(target), bodies, fc.boolean()), refusedRuns)).toEqual(
      [400],
    );
  });
});
