import { expect, test } from 'vitest';
import { healthy } from '../../../shared/callbacks/endpoint/circuit.ts';
import type { EndpointView } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointViews } from '../../../shared/callbacks/endpoint/views.ts';
import { fakeClock } from '../../support/clock.ts';

const pace = { slotsUntil: 0, lineUntil: 0 };

/** Sets up views of an endpoint whose read lasts until the test ends it. */
function viewsRig() {
  const reading = Promise.withResolvers<EndpointView>();
  const views = endpointViews({ endpoints: { view: () => reading.promise }, clock: fakeClock() });
  return { views, reading, seen: views.of('bars') };
}

test('what two writes make of a view during one read is kept, of both', async () => {
  const { views, reading } = viewsRig();
  const remembered = [
    views.remember('bars', { pace: { slotsUntil: 1, lineUntil: 2 } }),
    views.remember('bars', { circuit: { ...healthy, failures: 3 } }),
  ];
  reading.resolve({ circuit: healthy, pace });
  await Promise.all(remembered);
  expect(await views.of('bars')).toEqual({
    circuit: { ...healthy, failures: 3 },
    pace: { slotsUntil: 1, lineUntil: 2 },
  });
});

test('a view that is forgotten during its read stays forgotten', async () => {
  const { views, reading, seen } = viewsRig();
  const remembered = views.remember('bars', { pace: { slotsUntil: 1, lineUntil: 2 } });
  views.forget('bars');
  reading.resolve({ circuit: healthy, pace });
  await remembered;
  expect(await seen).toEqual({ circuit: healthy, pace });
  expect(await views.of('bars')).toEqual({ circuit: healthy, pace });
});
