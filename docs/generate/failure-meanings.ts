import type { FailureCode } from '../../shared/platform/http/failures.ts';

/** The condition of each failure, and an example of the sentence that the service returns. */
export const meaning: Record<FailureCode, { when: string; example: string }> = {
  REQUEST_INVALID: {
    when: 'The request is malformed or a field is wrong',
    example: 'places: must be an array',
  },
  OFFER_FORBIDDEN: {
    when: "The header offerId is not one of the account's loyalty programs, or the key is limited to some of them, and this belongs to none of those",
    example: 'offerId: is not a loyalty program of this account',
  },
  ROLE_FORBIDDEN: {
    when: "The key's role does not allow the operation",
    example: 'role: this key has the role cash-desk, which allows to list and redeem check-ins',
  },
  PLACE_FORBIDDEN: {
    when: 'The key is limited to other service points',
    example: 'placeId: this key is limited to other service points',
  },
  KEY_NOT_FOUND: {
    when: 'The account has no such key',
    example: 'login: bars-5f0c1b9e7a524c0e is not a key of this account',
  },
  ENDPOINT_NOT_SET: {
    when: 'The partner has no callback endpoint',
    example: 'callbacks: no endpoint is set, PUT /callbacks/endpoint sets it',
  },
  ALERTS_NOT_SET: {
    when: 'The partner has no address for alerts',
    example: 'alerts: no address is set, PUT /alerts sets it',
  },
  ENDPOINT_DISABLED: {
    when: 'The callback endpoint is disabled',
    example: 'callbacks: they would be skipped again, enable the endpoint first',
  },
  ENDPOINT_IS_FEED: {
    when: 'The callbacks are read from the feed, so that there is no receiver to try',
    example:
      'callbacks: they are read from GET /callbacks/feed, and nothing is posted; PUT /callbacks/endpoint {"mode": "post"} changes that',
  },
  TEST_LIMIT_EXCEEDED: {
    when: 'Callbacks and alerts were tested ten times in this minute, or the endpoint was examined five times in these 10 minutes',
    example: 'callbacks: 10 tests a minute are possible, test again after 12 s',
  },
  REPLAY_LIMIT_EXCEEDED: {
    when: 'The partner has replayed 10,000 callbacks in these 10 minutes',
    example: 'callbacks: 10,000 replays in 10 minutes are possible, replay again after 312 s',
  },
  REPORT_LIMIT_EXCEEDED: {
    when: 'The account has had 120 reports in this minute',
    example: 'messageId: 120 reports a minute are possible, ask again after 12 s',
  },
  KEY_LIMIT_EXCEEDED: {
    when: 'The account has as many keys as it may',
    example: 'keys: there are 20, which is the most; delete one first',
  },
  PROMO_LIMIT_EXCEEDED: {
    when: 'The account has as many promotions as it may, completed ones included',
    example:
      'promotions: there are 1000, which is the most; change one that has ended, by POST /promo/v1/update',
  },
  PHONE_LIMIT_EXCEEDED: {
    when: 'The account has as many phones as it may',
    example: 'msisdn: there are 20 phones, which is the most; delete one first',
  },
  LAST_FULL_KEY: {
    when: 'Without this key nobody could manage keys',
    example: 'login: bars is the last full key without limits, make another first',
  },
  TWO_SECRETS_ALREADY: {
    when: 'There are two live secrets',
    example:
      'login: bars has two secrets already: retire the older if the newer is known, or rotate with {"replace": true} if it is not',
  },
  SECRET_IN_USE: {
    when: 'What would end is the key or the secret that the request was made with',
    example: 'login: this request was made with bars itself; make it with another key',
  },
  ONE_SECRET_ONLY: {
    when: 'There is no older secret to end',
    example: 'login: bars has one secret only, rotate first',
  },
  CHANGED_MEANWHILE: {
    when: 'Somebody else made a change at the same moment',
    example: 'login: bars was changed at the same moment, look and send again',
  },
  OFFER_NOT_FOUND: {
    when: 'There is no such loyalty program',
    example: 'offerId: nobody is not a loyalty program of this service',
  },
  SESSION_NOT_FOUND: {
    when: 'The offer has no such session, or it is older than 30 days',
    example: 'sessionId: 5f0c1b9e is not a session of this offer',
  },
  PLACE_NOT_FOUND: {
    when: 'The offer has no such service point',
    example: 'placeId: 000069302 is not a service point of this offer',
  },
  CHECKIN_NOT_FOUND: {
    when: 'The offer has no such check-in',
    example: 'checkinNumber: 17 is not a check-in of this offer',
  },
  PROMO_NOT_FOUND: {
    when: 'The partner has no such promotion',
    example: 'promoId: 17 is not a promotion of this partner',
  },
  NO_ACTIVE_PROMOTIONS: {
    when: "None of the partner's promotions is active",
    example: 'promos: none is active at this moment',
  },
  CHECKIN_NOT_ACTIVE: {
    when: 'The check-in was redeemed or has expired',
    example:
      'checkinNumber: 17 was redeemed at 2026-05-20T12:00:24.426Z, check the number or ask for a new check-in',
  },
  REQUEST_IN_PROGRESS: {
    when: 'A request with this Idempotency-Key is still running',
    example: 'idempotency-key: its first request is still running, ask again in a second',
  },
  BODY_TOO_LARGE: {
    when: 'The body is larger than the operation takes',
    example: 'body: 4700001 bytes sent, the limit is 4700000; gzip it or send less',
  },
  REPORT_TOO_LARGE: {
    when: 'The send has more recipients than a CSV may have',
    example:
      'accept: a CSV has at most 30000 recipients, this send has 40000; ask for application/json, which has the counts',
  },
  CHARSET_UNSUPPORTED: {
    when: 'The content-type names another charset than UTF-8',
    example: 'content-type: the charset windows-1251 is not supported, send UTF-8',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The Idempotency-Key was used with another request',
    example: 'idempotency-key: was used with another request, use a new key for a new request',
  },
  MESSAGE_NOT_FOUND: {
    when: 'The account has sent no such message, or it is older than 30 days',
    example: 'messageId: 5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11 is not a message of this account',
  },
  RECEIVER_NOT_FOUND: {
    when: 'No receiver has this address',
    example: 'token: is not that of a receiver',
  },
  SIGNATURE_INVALID: {
    when: "The request is not signed with a secret of the partner's endpoint, or too late",
    example: 'webhook-signature: is not one of this endpoint and body',
  },
  RECEIVER_GONE: {
    when: 'The receiver was set to answer this',
    example: 'callbacks: this receiver was set to answer 410',
  },
  RECEIVER_UNAVAILABLE: {
    when: 'The receiver was set to answer this',
    example: 'callbacks: this receiver was set to answer 503',
  },
  TOO_MANY_REQUESTS: {
    when: "The account's sending rate is exhausted for this minute. Without `retry-after`, the minute of `qos.deliverFrom` is full, or the message counts more than the rate",
    example: 'msisdn: the limit of 100000 recipients a minute is reached, send again after 12 s',
  },
  REQUEST_LIMIT_EXCEEDED: {
    when: 'The account has made as many requests in 10 s as it may; where a list is sent, also: 20 lists of the offer are waiting',
    example: 'requests: 1,000 in 10 s over all keys of the partner, ask again in 4 s',
  },
  CHECKIN_MISMATCH: {
    when: 'The secretCode or placeId of the request is not that of the check-in',
    example: 'secretCode: is not that of the check-in 17, nothing was redeemed',
  },
  BATCH_SIZE_EXCEEDED: {
    when: 'A larger body, or more recipients or messages, than one request may have, or than the sending rate has in a minute',
    example: 'msisdn: 10001 recipients, the limit is 10000 a request; send several requests',
  },
  RATE_LIMIT_EXCEEDED: {
    when: "The request does not fit into what is left of the account's sending rate in this minute, or in that of `qos.deliverFrom`; it was refused whole",
    example: 'msisdn: the limit of 100000 recipients a minute is reached, send again after 12 s',
  },
  PROCESSING_FAILED: {
    when: 'The request could not be processed, or not in time: repeat it with the same Idempotency-Key, because it may be stored',
    example: 'reference JKJaXmPLvHcESHA=',
  },
  INTERNAL_ERROR: {
    when: 'The service failed; quote the reference when you ask for help',
    example: 'reference JKJaXmPLvHcESHA=',
  },
  SYNC_UNAVAILABLE: {
    when: 'The queue did not take the list',
    example: 'places: the list could not be taken as a whole, send it again',
  },
  PLACE_FULL: {
    when: 'Almost every secret code of the place is in use',
    example: 'placeId: almost every code is in use there, try again in a minute',
  },
};
