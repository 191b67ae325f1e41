import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs, seed } from '../../support/property-runs.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { invalidFor } from './against-schema.ts';
import { validFor } from './from-schema.ts';
import {
  components,
  createFuzzer,
  exampleBody,
  examplePath,
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

function byRoute(list: readonly Target[]) {
  return list.map((target) => [target.route, target] as const);
}

const withBody = targets.filter(({ body }) => body !== undefined);

type Sent = [path: string, body?: unknown, gzip?: boolean];

async function statusesFor(
  target: Target,
  request: fc.Arbitrary<Sent>,
  options: { numRuns: number; examples?: Sent[] },
) {
  const statuses = new Set<number>();
  const property = fc.asyncProperty(request, async ([path, body, gzip = false]) => {
    const sent = body === undefined ? {} : maybeGzipped(JSON.stringify(body), gzip);
    const { status } = await fuzzer.sendAndCheck(target, { path, ...sent });
    statuses.add(status);
  });
  await fc.assert(property, {
    seed,
    numRuns: options.numRuns,
    examples: (options.examples ?? []).map((example) => [example]),
  });
  return [...statuses].sort();
}

/** Operations whose request has a random id, which does not exist. Every other one accepts the document's example. */
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

describe('what the document allows', () => {
  test.each(byRoute(targets))('%s accepts, or refuses as documented', async (_route, target) => {
    // Requests of another route may have disabled the endpoint, rotated its secret, or created the most keys allowed.
    await (target.operation.id === 'RetireEndpointSecret' ? fixture.signedByTwo() : fixture.signedByOne());
    await fixture.roomForKeys();
    await fixture.withAlerts();
    await fixture.roomForTests();
    const { id } = target.operation;
    const body = target.body ? validFor(target.body, components) : fc.constant(undefined);
    const statuses = await statusesFor(target, fc.tuple(validPath(target), body, fc.boolean()), {
      numRuns: runs(30),
      examples: [[examplePath(target), exampleBody(target.operation)]],
    });
    expect(statuses.filter((status) => !target.statuses.includes(status))).toEqual([]);
    // The secret code and the service point of the example are not those of the check-in.
    const ofExample = withRandomId.includes(id) ? 404 : id === 'RegisterCheckIn' ? 409 : 200;
    expect(statuses).toContain(ofExample);
    // The body of a check-in or a key may name an offer of any partner.
    const namesOffers = ['OpenSandboxCheckIn', 'CreateKey'].includes(id);
    const refused = namesOffers ? [401] : [401, 403];
    expect(statuses.filter((status) => refused.includes(status) || status >= 500)).toEqual([]);
  });
});

describe('what the document does not allow', () => {
  test.each(byRoute(withBody))('%s refuses with 400', async (_route, target) => {
    const invalid = target.body && invalidFor(target.body, components);
    if (!invalid) throw new Error('there is a body, but nothing that could be wrong with it');
    const bodies = invalid.filter((body) => body !== undefined);
    const request = fc.tuple(validPath(target), bodies, fc.boolean());
    expect(await statusesFor(target, request, { numRuns: runs(12) })).toEqual([400]);
  });
});
