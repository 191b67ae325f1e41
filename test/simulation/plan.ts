import fc from 'fast-check';
import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { lastingMoods, moods, partnerIds } from './actors/partners.ts';
import { type FaultKind, type FaultPlan, faultKinds, faultRates } from './core/faults.ts';
import { isLong } from './long-runs.ts';

const actionKinds = [
  'single push',
  'bulk push',
  'multi push',
  'scheduled push',
  'burst of pushes',
  'burst of requests',
  'list of places',
  'check-in',
  'promotion',
  'nonsense',
  'phones',
  'keys',
  'help',
  'mode',
] as const;

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type Action = ValueOf<ReturnType<typeof actionsIn>>;
type ShortTrouble = ValueOf<ReturnType<typeof troublesIn>>;
export type Trouble = Omit<ShortTrouble, 'mood'> & {
  mood: ShortTrouble['mood'] | (typeof lastingMoods)[number];
};
export type Plan = ValueOf<ReturnType<typeof plans>>;

const hourMs = 3_600_000;

/** An action of a partner, a card holder, the wallet platform or an operator. */
function actionsIn(hours: number) {
  const spanMs = hours * hourMs;
  return fc.record({
    // The ten attempts of what is sent late would not end in a long run.
    atMs: isLong(hours) ? fc.oneof(fc.nat(4 * hourMs), fc.nat(spanMs)) : fc.nat(spanMs),
    kind: fc.constantFrom(...actionKinds),
    /** The index of the partner. */
    who: fc.nat(partnerIds.length - 1),
    /** The number of recipients, places or cash desks. */
    size: fc.integer({ min: 1, max: 26 }),
    /** The seed of everything else about the action. */
    variant: fc.nat(1_000_000),
  });
}

/** A time during which an endpoint of a partner, the wallet platform, the table or the queues misbehave. */
function troublesIn(spanMs: number) {
  return fc.record({
    atMs: fc.nat(spanMs),
    forMs: fc.nat(Math.min(spanMs, 30 * hourMs)),
    whose: fc.constantFrom(
      ...partnerIds,
      ...partnerIds,
      ...partnerIds.map(alertsEndpointOf),
      'wallet',
      'table',
      'queues',
    ),
    mood: fc.constantFrom(...moods),
  });
}

/** An endpoint fails all the time: so it is disabled for its age, and in a long run most callbacks fail ten times. */
function lastingTroubles(spanMs: number): fc.Arbitrary<Trouble> {
  return fc.record({
    atMs: fc.nat(hourMs / 6),
    forMs: fc.constant(spanMs),
    whose: fc.constantFrom(...partnerIds),
    mood: fc.constantFrom(...lastingMoods),
  });
}

/** A long run has as many faults as a short one, and they happen over more occasions. */
function faultsOf(kind: FaultKind, hours: number): fc.Arbitrary<number[]> {
  const [rate, occasions] = faultRates[kind];
  const maxLength = Math.ceil((2 * occasions * rate) / 1_000);
  return fc.uniqueArray(fc.nat((isLong(hours) ? 4 : 1) * occasions), { maxLength, size: 'max' });
}

/**
 * Generates plans of `hours` hours. A plan is everything that chance decides beforehand: what happens and what goes
 * wrong. fast-check finds the smallest plan that fails.
 */
export function plans(seed: number, hours: number) {
  const spanMs = hours * hourMs;
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, faultsOf(kind, hours)]));
  const plan = fc.record({
    seed: fc.constant(seed),
    hours: fc.constant(hours),
    /** In a third of the runs AWS makes no faults, whatever the plan lists, so that checks can be stricter. */
    calm: fc.nat(2).map((n) => n === 2),
    /** Ten actions per hour, at most twenty. */
    actions: fc.array(actionsIn(hours), { maxLength: Math.min(20, 10 * hours), size: 'max' }),
    troubles: fc.array(troublesIn(spanMs), { maxLength: 8, size: 'max' }),
    faults: fc.record(faults) as fc.Arbitrary<FaultPlan>,
    lasting: fc.array(lastingTroubles(spanMs), { minLength: isLong(hours) ? 1 : 0, maxLength: 1 }),
  });
  // Other troubles of the same endpoint would end one that lasts.
  const merged = plan.map(({ lasting, troubles, ...rest }) => ({
    ...rest,
    troubles: [...lasting, ...troubles.filter(({ whose }) => whose !== lasting[0]?.whose)],
  }));
  return fc.noBias(merged);
}
