import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { runs, seed } from '../../support/property-runs.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { validFor } from './from-schema.ts';
import { components, exampleBody, examplePath, sendAndCheck, targets, validPath } from './fuzz.ts';

let fixture: AccessFixture;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
});

type Sent = [path: string, body?: unknown, gzip?: boolean];

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

test.each(targets.map((target) => [target.route, target] as const))(
  '%s accepts what the document allows, or refuses it as documented',
  async (_route, target) => {
    // Requests of another route may have disabled the endpoint, rotated its secret, or created the most keys allowed.
    await (target.operation.id === 'RetireEndpointSecret' ? fixture.signedByTwo() : fixture.signedByOne());
    await fixture.roomForKeys();
    await fixture.withAlerts();
    await fixture.roomForTests();
    const { id } = target.operation;
    const statuses = new Set<number>();
    const validBody = target.body ? validFor(target.body, components) : fc.constant(undefined);
    const request: fc.Arbitrary<Sent> = fc.tuple(validPath(target), validBody, fc.boolean());
    const property = fc.asyncProperty(request, async ([path, body, gzip = false]) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const isGzip = gzip && text !== undefined;
      const sent = isGzip
        ? { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }
        : { body: text };
      statuses.add((await sendAndCheck(target, { path, ...sent })).status);
    });
    const example: Sent = [examplePath(target), exampleBody(target.operation)];
    // A request without body and parameters is always the same: the second meets what the first has done.
    const isVaried = target.body !== undefined || target.parameters.length > 0;
    await fc.assert(property, { seed, numRuns: isVaried ? runs(20) : 2, examples: [[example]] });

    expect([...statuses].filter((status) => !target.statuses.includes(status))).toEqual([]);
    // The secret code and the service point of the example are not those of the check-in.
    const ofExample = withRandomId.includes(id) ? 404 : id === 'RegisterCheckIn' ? 409 : 200;
    expect([...statuses]).toContain(ofExample);
    // The body of a check-in or a key may name an offer of any partner.
    const namesOffers = ['OpenSandboxCheckIn', 'CreateKey'].includes(id);
    const refused = namesOffers ? [401] : [401, 403];
    expect([...statuses].filter((status) => refused.includes(status) || status >= 500)).toEqual([]);
  },
);
