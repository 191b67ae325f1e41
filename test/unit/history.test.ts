import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Change, historyOf } from '../../shared/push/history.ts';
import { seed } from '../support/property-runs.ts';

const life = ['ENQUEUED', 'DELIVERED', 'OPENED'];

test('a history has each state once, in the order of time, and of one moment in the order of life', () => {
  const atMs = fc.integer({ min: 1, max: 4 });
  const reported = fc.option(atMs, { nil: undefined });
  const property = fc.property(atMs, reported, reported, (acceptedAt, deliveredAt, openedAt) => {
    const history = historyOf({ state: 'ENQUEUED', atMs: acceptedAt }, { deliveredAt, openedAt });
    const place = ({ state, atMs: at }: Change) => at * 10 + life.indexOf(state);
    const given = [acceptedAt, deliveredAt, openedAt].flatMap((at, n) => (at ? at * 10 + n : []));
    expect(history.map(place)).toEqual(given.sort());
  });
  fc.assert(property, { seed });
});
