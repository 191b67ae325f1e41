const names = ['small-chain', 'national-retailer', 'million-a-minute', 'sandbox-idle', 'sandbox'] as const;

/** The numbers of a load: what each is, what the command line accepts, and its value in each preset. */
export const loadNumbers = {
  partners: ['Partners, one offer each', [1, 100_000], [1, 10, 10, 1, 1]],
  places: ['Service points of each partner', [0, 100_000], [500, 10_000, 10_000, 0, 0]],
  syncsADay: ['Lists that each partner sends a day', [0, 1_440], [1, 4, 4, 0, 0]],
  changedPercent: ['Percent of a list that changed since the last one', [0, 100], [1, 1, 1, 1, 1]],
  checkInsADay: ['Check-ins of all partners together', [0, 1e9], [2_000, 500_000, 500_000, 0, 0]],
  pushesAMinute: ['Recipients of all partners, while sending', [0, 1e9], [1_000, 50_000, 1_000_000, 0, 25]],
  hours: ['Hours of sending on such a day', [0, 24], [1, 2, 1, 0, 2 / 3]],
  pushDays: ['Days with pushes in a month of 30', [0, 30], [8, 20, 1, 0, 30]],
  bulkSize: ['Recipients of a request, 1: single messages', [1, 10_000], [1_000, 10_000, 10_000, 1, 1]],
  registeredPercent: ['Percent of recipients that have the wallet', [0, 100], [60, 60, 60, 100, 100]],
  openedPercent: ['Percent of shown messages that are opened', [0, 100], [40, 40, 40, 100, 100]],
  receiptsARow: ['Receipts recorded by one write, 1: scattered', [1, 40], [10, 10, 10, 1, 1]],
  callbacksPercent: ['Percent of messages that request callbacks', [0, 100], [100, 100, 100, 100, 100]],
  failingCallbacksPercent: ['Percent of callbacks that fail at first', [0, 100], [1, 1, 1, 1, 1]],
  simulatedWallet: ['The wallet platform: 0 real, 1 simulated', [0, 1], [0, 0, 0, 1, 1]],
} as const;

export type LoadNumber = keyof typeof loadNumbers;

export type Load = Readonly<Record<LoadNumber, number>>;

/** Numbers that must be whole, because they count things. */
export const wholeNumbers = ['partners', 'places', 'pushDays', 'bulkSize', 'simulatedWallet'];

export const presets = Object.fromEntries(
  names.map((name, n) => [
    name,
    Object.fromEntries(Object.entries(loadNumbers).map(([member, [, , values]]) => [member, values[n]])),
  ]),
) as Record<(typeof names)[number], Load>;

export const daysAMonth = 30;

/** How often something happens: in a month, and in the busiest second of it. */
export type Times = {
  month: number;
  second: number;
};

export function times(of: Times, factor: number): Times {
  return { month: of.month * factor, second: of.second * factor };
}

/** Assumed: the share of a day's check-ins that falls into the busiest hour, lunch time. */
const busiestHourShare = 0.2;

export type Events = ReturnType<typeof countEvents>;

/** How often each event happens. In the busiest second pushes are being sent, it is lunch time, and every partner sends a list within the hour. */
export function countEvents(load: Load) {
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
