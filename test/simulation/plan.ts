import fc from 'fast-check';
import { moods, partnerIds } from './actors/partners.ts';
import type { Throttling } from './core/calls.ts';
import { type FaultKind, type FaultPlan, faultKinds, faultRates } from './core/faults.ts';

/** Something a partner, a card holder, the wallet platform or an operator does. */
export interface Action {
  readonly atMs: number;
  readonly kind: (typeof actionKinds)[number];
  /** Which partner. */
  readonly who: number;
  /** How many recipients, places, cash desks. */
  readonly size: number;
  /** Everything else about it follows from this. */
  readonly variant: number;
}

/** A time during which a partner's endpoint, the wallet platform, the table or the queues do not do what they should. */
export interface Trouble {
  readonly atMs: number;
  readonly forMs: number;
  readonly whose: (typeof partnerIds)[number] | 'wallet' | Throttling;
  readonly mood: (typeof moods)[number];
}

/** Everything that chance decides beforehand: what happens, and what goes wrong. */
export interface Plan {
  readonly seed: number;
  readonly hours: number;
  /** AWS makes no faults: those of the plan do not happen, so much more is certain. */
  readonly calm: boolean;
  readonly actions: readonly Action[];
  readonly troubles: readonly Trouble[];
  readonly faults: FaultPlan;
}

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

const hourMs = 3_600_000;
const actionsAtMost = 20;

function faultsOf(kind: FaultKind): fc.Arbitrary<number[]> {
  const [rate, occasions] = faultRates[kind];
  const maxLength = Math.ceil((2 * occasions * rate) / 1_000);
  return fc.uniqueArray(fc.nat(occasions), { maxLength, size: 'max' });
}

/** One run in so many is calm. */
const calmRate = 4;

/** Every plan of so many hours. fast-check finds the smallest one that fails. */
export function plans(seed: number, hours: number): fc.Arbitrary<Plan> {
  const spanMs = hours * hourMs;
  return fc.noBias(
    fc.record({
      seed: fc.constant(seed),
      hours: fc.constant(hours),
      calm: fc.nat(calmRate - 1).map((n) => n === calmRate - 1),
      actions: fc.array(
        fc.record({
          atMs: fc.nat(spanMs),
          kind: fc.constantFrom(...actionKinds),
          who: fc.nat(partnerIds.length - 1),
          size: fc.integer({ min: 1, max: 26 }),
          variant: fc.nat(1_000_000),
        }),
        { minLength: 0, maxLength: actionsAtMost, size: 'max' },
      ),
      troubles: fc.array(
        fc.record({
          atMs: fc.nat(spanMs),
          forMs: fc.nat(Math.min(spanMs, 30 * hourMs)),
          whose: fc.constantFrom(...partnerIds, 'wallet' as const, 'table' as const, 'queues' as const),
          mood: fc.constantFrom(...moods),
        }),
        { maxLength: 8, size: 'max' },
      ),
      faults: fc.record(
        Object.fromEntries(faultKinds.map((kind) => [kind, faultsOf(kind)])) as Record<
          FaultKind,
          fc.Arbitrary<number[]>
        >,
      ),
    }),
  );
}
