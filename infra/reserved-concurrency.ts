/**
 * The executions at once that a function always finds, however busy the others are, and never exceeds. Of the account's
 * quota of 1,000 are 435 reserved and 365 for full queues. The other 200 are enough for the two readers of the stream (one
 * or two batches of each shard at once) and for 2,000 other requests a second of 25 ms.
 */
export const reservedInProd = {
  // Those of cash desks cover the 2,000 requests a second of a route: 2,000/s of 25 ms need 50.
  ListCheckIns: 50,
  RegisterCheckIn: 50,
  OpenCheckIn: 50,
  // Runs before every request without a cached verdict, and cold starts are slower: twice that.
  AuthorizePartner: 100,
  // Anybody may load the page: here the reservation is a ceiling, so that nobody takes executions from requests.
  // Ten browsers that open it at once need 20, two files each in parallel; 10 are a reserve.
  ServeConsole: 30,
  /*
   * Ceilings for requests that take long, so that they never take the executions of all others. A partner's budget lets it
   * make 6 of all these a second, 9 at most. 9 a second of 0.5 s each (lists of 4,000,000 characters; larger ones count more
   * often) need 5 executions, of 0.3 s (sends to 10,000, of which its rate allows 10 a minute) 3, of 1 s (reports) 9: so
   * each ceiling serves two partners at their budgets at once, in the dearest requests there are. A replay may take 20 s, but a partner may have only two in
   * 10 minutes. What is above a ceiling gets 503: a partner that sends its whole budget in one instant meets it.
   */
  StartSync: 20,
  SendBulk: 40,
  SendMulti: 30,
  GetSync: 20,
  GetSendReport: 20,
  ReplayCallbacks: 10,
  // It counts what it has read afterwards, so that pollers side by side pass their budget. A poll takes up to 0.4 s.
  ReadFeed: 15,
} as const;
