/** What partners and phones do to the service. A month has 30 days. */
export interface Load {
  readonly partners: number;
  /** Service points of each partner; one offer each. */
  readonly places: number;
  /** Lists that each partner sends a day. */
  readonly syncsADay: number;
  /** Of a list's places, how many are new, changed or gone. */
  readonly changedPercent: number;
  /** Of all partners together. */
  readonly checkInsADay: number;
  /** Recipients a minute of all partners together, while pushes are being sent. */
  readonly pushesAMinute: number;
  /** How long pushes are sent on such a day. */
  readonly hours: number;
  /** Days of the month on which pushes are sent. */
  readonly pushDays: number;
  /** Recipients of a request; 1 is a single message. */
  readonly bulkSize: number;
  /** Of recipients, how many have the wallet. */
  readonly registeredPercent: number;
  /** Of messages that are shown, how many are opened. */
  readonly openedPercent: number;
  /** Of messages, how many ask for callbacks. */
  readonly callbacksPercent: number;
  /** Of callbacks, how many fail at their first attempt. */
  readonly failingCallbacksPercent: number;
}

export const presets = {
  'small-chain': {
    partners: 1,
    places: 500,
    syncsADay: 1,
    changedPercent: 1,
    checkInsADay: 2_000,
    pushesAMinute: 1_000,
    hours: 1,
    pushDays: 8,
    bulkSize: 1_000,
    registeredPercent: 60,
    openedPercent: 40,
    callbacksPercent: 100,
    failingCallbacksPercent: 1,
  },
  'national-retailer': {
    partners: 10,
    places: 10_000,
    syncsADay: 4,
    changedPercent: 1,
    checkInsADay: 500_000,
    pushesAMinute: 50_000,
    hours: 2,
    pushDays: 20,
    bulkSize: 10_000,
    registeredPercent: 60,
    openedPercent: 40,
    callbacksPercent: 100,
    failingCallbacksPercent: 1,
  },
  'million-a-minute': {
    partners: 10,
    places: 10_000,
    syncsADay: 4,
    changedPercent: 1,
    checkInsADay: 500_000,
    pushesAMinute: 1_000_000,
    hours: 1,
    pushDays: 1,
    bulkSize: 10_000,
    registeredPercent: 100,
    openedPercent: 100,
    callbacksPercent: 100,
    failingCallbacksPercent: 1,
  },
} as const satisfies Record<string, Load>;

export type Preset = keyof typeof presets;

export function isPreset(name: string): name is Preset {
  return Object.hasOwn(presets, name);
}

export const daysAMonth = 30;

/** Service points that one message of places-sync.fifo carries at most (`sliceLimit` of the service). */
export const placesPerSlice = 500;

/** Assumed: a waiting partner asks for its session a few times, and a cash desk for its list a few times per guest. */
export const pollsPerSession = 5;
export const listsPerCheckIn = 3;

/** Of a day's check-ins, how many fall into its busiest hour. Assumed: a lunch hour. */
export const busiestHourShare = 0.2;

export interface Rates {
  readonly pushesASecond: number;
  readonly pushRequestsASecond: number;
  readonly registeredASecond: number;
  /** New states: DELIVERED and OPENED. */
  readonly statesASecond: number;
  readonly callbacksASecond: number;
  readonly failingCallbacksASecond: number;
  readonly checkInsASecond: number;
  /** Slices a second while all lists of a round arrive within one hour. */
  readonly slicesASecond: number;
}

/** The busiest second: pushes are being sent, and it is lunch time. */
export function ratesOf(load: Load): Rates {
  const pushesAreSent = load.hours > 0 && load.pushDays > 0;
  const pushesASecond = pushesAreSent ? load.pushesAMinute / 60 : 0;
  const registeredASecond = (pushesASecond * load.registeredPercent) / 100;
  const statesASecond = registeredASecond * (1 + load.openedPercent / 100);
  const callbacksASecond = (statesASecond * load.callbacksPercent) / 100;
  const slicesARound = load.partners * Math.ceil(load.places / placesPerSlice);
  return {
    pushesASecond,
    pushRequestsASecond: pushesASecond / load.bulkSize,
    registeredASecond,
    statesASecond,
    callbacksASecond,
    failingCallbacksASecond: (callbacksASecond * load.failingCallbacksPercent) / 100,
    checkInsASecond: (load.checkInsADay * busiestHourShare) / 3_600,
    slicesASecond: load.syncsADay > 0 ? slicesARound / 3_600 : 0,
  };
}
