/**
 * The executions at once that a function always finds, however busy the others are, and never exceeds. An execution serves
 * 10 requests a second at most, and fewer that last longer than 100 ms: a rate needs a tenth of it, or the rate times the
 * duration if that is more. docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 *
 * Of the account's quota of 1,000 are 435 reserved and 365 for full queues. The other 200 are enough for the two readers of
 * the stream (16 with the 4 shards of a new table) and for 1,800 other requests a second.
 */
export const reservedInProd = {
  // They cover nine times a national retailer's busiest second (docs/capacity.md): 750 lists, 250 redeemed, 250 opened.
  // The latter two have more than 25, so that 50 a second find an execution while all start at once, in 0.6 s each, and
  // while those who open at one place wait for each other (npm run simulate -- --forecast check-ins).
  ListCheckIns: 75,
  RegisterCheckIn: 40,
  OpenCheckIn: 45,
  // Runs before every request without a cached verdict. Verdicts are kept for 5 minutes, so 900 a second are 270,000 keys
  // that are all in use.
  AuthorizePartner: 90,
  // Anybody may load the page: here the reservation is a ceiling, so that nobody takes executions from requests.
  // Ten browsers that open it at once need 20, two files each in parallel; 10 are a reserve.
  ServeConsole: 30,
  /*
   * Ceilings for requests that take long, so that they never take the executions of all others. A partner's budget lets it
   * make 6 of all these a second, 9 at most. 9 a second of 0.5 s each (lists of 2,000,000 characters; larger ones count more
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
