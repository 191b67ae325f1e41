import fc from 'fast-check';
import { moods, partnerIds } from './actors/partners.ts';
import { type FaultKind, type FaultPlan, faultKinds, faultRates } from './core/faults.ts';

const actionKinds = [
  'single push',
  'bulk push',
  'multi push',
  'burst of pushes',
  'list of places',
  'check-in',
  'promotion',
  'nonsense receipts',
  'help',
] as const;

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type Action = ValueOf<ReturnType<typeof actionsIn>>;
export type Trouble = ValueOf<ReturnType<typeof troublesIn>>;
export type Plan = ValueOf<ReturnType<typeof plans>>;

const hourMs = 3_600_000;

/** Something a partner, a card holder, the wallet platform or an operator does. */
function actionsIn(spanMs: number) {
  return fc.record({
    atMs: fc.nat(spanMs),
    kind: fc.constantFrom(...actionKinds),
    /** Which partner. */
    who: fc.nat(partnerIds.length - 1),
    /** How many recipients, places, cash desks. */
    size: fc.integer({ min: 1, max: 26 }),
    /** Everything else about it follows from this. */
    variant: fc.nat(1_000_000),
  });
}

/** A time during which a partner's endpoint, the wallet platform, the table or the queues do not do what they should. */
function troublesIn(spanMs: number) {
  return fc.record({
    atMs: fc.nat(spanMs),
    forMs: fc.nat(Math.min(spanMs, 30 * hourMs)),
    whose: fc.constantFrom(...partnerIds, 'wallet', 'table', 'queues'),
    mood: fc.constantFrom(...moods),
  });
}

function faultsOf(kind: FaultKind): fc.Arbitrary<number[]> {
  const [rate, occasions] = faultRates[kind];
  const maxLength = Math.ceil((2 * occasions * rate) / 1_000);
  return fc.uniqueArray(fc.nat(occasions), { maxLength, size: 'max' });
}

/**
 * Every plan of so many hours: all that chance decides beforehand, what happens and what goes wrong. fast-check finds
 * the smallest one that fails.
 */
export function plans(seed: number, hours: number) {
  const spanMs = hours * hourMs;
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, faultsOf(kind)]));
  return fc.noBias(
    fc.record({
      seed: fc.constant(seed),
      hours: fc.constant(hours),
      /** In one run in four AWS makes no faults: those of the plan do not happen, so much more is certain. */
      calm: fc.nat(3).map((n) => n === 3),
      /** Ten an hour, up to twenty. */
      actions: fc.array(actionsIn(spanMs), { maxLength: Math.min(20, 10 * hours), size: 'max' }),
      troubles: fc.array(troublesIn(spanMs), { maxLength: 8, size: 'max' }),
      faults: fc.record(faults) as fc.Arbitrary<FaultPlan>,
    }),
  );
}
