/** Every number of a load, with what the command line accepts for it. */
export const loadNumbers = {
  partners: { about: 'partners, one offer each', least: 1, most: 100_000, whole: true },
  places: { about: 'service points of each partner', least: 0, most: 100_000, whole: true },
  syncsADay: { about: 'lists that each partner sends a day', least: 0, most: 1_440, whole: false },
  changedPercent: { about: 'of a list: changed since the last', least: 0, most: 100, whole: false },
  checkInsADay: { about: 'check-ins of all partners together', least: 0, most: 1e9, whole: false },
  pushesAMinute: { about: 'recipients of all partners, while sending', least: 0, most: 1e9, whole: false },
  hours: { about: 'hours of sending on such a day', least: 0, most: 24, whole: false },
  pushDays: { about: 'days with pushes in a month of 30', least: 0, most: 30, whole: true },
  bulkSize: { about: 'recipients of a request, 1: single messages', least: 1, most: 10_000, whole: true },
  registeredPercent: { about: 'of recipients: have the wallet', least: 0, most: 100, whole: false },
  openedPercent: { about: 'of shown messages: opened', least: 0, most: 100, whole: false },
  callbacksPercent: { about: 'of messages: ask for callbacks', least: 0, most: 100, whole: false },
  failingCallbacksPercent: { about: 'of callbacks: fail at first', least: 0, most: 100, whole: false },
} as const;

/** What partners and phones do to the service. */
export type Load = Readonly<Record<keyof typeof loadNumbers, number>>;

/** One retailer with 500 shops. */
const smallChain: Load = {
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
};

/** Ten programs with 10,000 shops each. */
const nationalRetailer: Load = {
  ...smallChain,
  partners: 10,
  places: 10_000,
  syncsADay: 4,
  checkInsADay: 500_000,
  pushesAMinute: 50_000,
  hours: 2,
  pushDays: 20,
  bulkSize: 10_000,
};

/** The same programs, and one hour of pushes to registered phones that are all opened. */
const millionAMinute: Load = {
  ...nationalRetailer,
  pushesAMinute: 1_000_000,
  hours: 1,
  pushDays: 1,
  registeredPercent: 100,
  openedPercent: 100,
};

export const presets = {
  'small-chain': smallChain,
  'national-retailer': nationalRetailer,
  'million-a-minute': millionAMinute,
} as const;

export const daysAMonth = 30;

/** How often something happens: in a month, and in the busiest second of it. */
export interface Times {
  readonly month: number;
  readonly second: number;
}

export function times(of: Times, factor: number): Times {
  return { month: of.month * factor, second: of.second * factor };
}

/** Of a day's check-ins, the share of the busiest hour. Assumed: lunch time. */
const busiestHourShare = 0.2;

/** What happens how often: pushes are being sent, it is lunch time, and every partner sends a list within the hour. */
export function eventsOf(load: Load) {
  const sending = load.hours > 0 && load.pushDays > 0;
  const pushes = {
    month: load.pushesAMinute * 60 * load.hours * load.pushDays,
    second: sending ? load.pushesAMinute / 60 : 0,
  };
  const states = times(pushes, (load.registeredPercent / 100) * (1 + load.openedPercent / 100));
  const callbacks = times(states, load.callbacksPercent / 100);
  // A list without places is refused.
  const sendsLists = load.places > 0 && load.syncsADay > 0;
  return {
    pushes,
    pushRequests: times(pushes, 1 / load.bulkSize),
    /** DELIVERED and OPENED. */
    states,
    callbacks,
    failingCallbacks: times(callbacks, load.failingCallbacksPercent / 100),
    checkIns: {
      month: load.checkInsADay * daysAMonth,
      second: (load.checkInsADay * busiestHourShare) / 3_600,
    },
    sessions: {
      month: sendsLists ? load.partners * load.syncsADay * daysAMonth : 0,
      second: sendsLists ? load.partners / 3_600 : 0,
    },
  };
}
