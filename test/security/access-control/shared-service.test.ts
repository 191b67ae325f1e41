import { afterAll, test } from 'vitest';
import { sharedAccessFixture } from './access-fixture.ts';
import { expectHealthy } from './expect-healthy.ts';

// These tests are one file because each worker of Vitest would start a service of its own for them, and load all
// functions: 9 s of processor time each. To run only some of them, name their titles with `-t`.
import './access-matrix.shared.ts';
import './limited-keys.shared.ts';
import './logged-secrets.shared.ts';
// These send lists of service points that replace those of the fixture, so they come last.
import './hostile-requests.shared.ts';
import './hostile-bodies.shared.ts';
import './schema-fuzz.shared.ts';

afterAll(async () => (await sharedAccessFixture()).service.stop());

test('after all of that every route still answers 200, and a list is processed', async () => {
  await expectHealthy(await sharedAccessFixture());
});
