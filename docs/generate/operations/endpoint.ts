import { disableEndpointOperation } from '../../../functions/callbacks/disable-endpoint.ts';
import { enableEndpointOperation } from '../../../functions/callbacks/enable-endpoint.ts';
import { examineEndpointOperation } from '../../../functions/callbacks/examine-endpoint.ts';
import { getEndpointOperation } from '../../../functions/callbacks/get-endpoint.ts';
import { listCallbacksOperation } from '../../../functions/callbacks/list-callbacks.ts';
import { putEndpointOperation } from '../../../functions/callbacks/put-endpoint.ts';
import { readFeedOperation } from '../../../functions/callbacks/read-feed.ts';
import { replayCallbacksOperation } from '../../../functions/callbacks/replay-callbacks.ts';
import { retireEndpointSecretOperation } from '../../../functions/callbacks/retire-endpoint-secret.ts';
import { rotateEndpointSecretOperation } from '../../../functions/callbacks/rotate-endpoint-secret.ts';
import { testCallbackOperation } from '../../../functions/callbacks/test-callback.ts';
import type { Documented } from '../documented.ts';

const tag = 'Callbacks';
const time = '2026-05-20T12:00:00.000Z';
const settings = {
  mode: 'post',
  url: 'https://bars.example/callbacks',
  status: 'ENABLED',
  timeoutSeconds: 15,
  basicLogin: 'wallet-service',
  log: 'failures',
};
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const endpointOperations = [
  {
    operation: getEndpointOperation,
    tag,
    summary: 'Show where and how you are called back',
    description: 'With the health of the endpoint, what waits, and what happened to it.',
    responseExample: {
      ...settings,
      circuit: { state: 'CLOSED' },
      waiting: 0,
      skipped: 0,
      secrets: [{ createdAt: time }],
      notices: [{ time, what: 'address changed', by: 'bars' }],
    },
  },
  {
    operation: putEndpointOperation,
    tag,
    summary: 'Set where and how you are called back',
    description:
      'Members left out stay, but `basic` must be sent again, or null, with a `url` of another origin. The first time the response shows the signing secret (Standard Webhooks), this once. In effect within 5 seconds.',
    requestExample: {
      url: 'https://bars.example/callbacks',
      basic: { login: 'wallet-service', password: 'correct horse battery staple' },
    },
    responseExample: { ...settings, secret },
  },
  {
    operation: enableEndpointOperation,
    tag,
    summary: 'Be called back again',
    description: 'Closes the circuit too. Callbacks that wait are sent within minutes, skipped ones stay.',
    responseExample: { status: 'ENABLED' },
  },
  {
    operation: disableEndpointOperation,
    tag,
    summary: 'Be called back no more',
    description: 'Until it is enabled again. Callbacks are kept as skipped for 30 days.',
    responseExample: { status: 'DISABLED' },
  },
  {
    operation: rotateEndpointSecretOperation,
    tag,
    summary: 'Have callbacks signed with a second secret too',
    description:
      'Both sign until the older one is retired. The new one is shown this once. If its response was lost, `replace` gives another in its place.',
    requestExample: { replace: false },
    responseExample: { secret },
  },
  {
    operation: retireEndpointSecretOperation,
    tag,
    summary: 'End the older of two signing secrets',
    description: 'In effect within 5 seconds.',
    responseExample: { secrets: 1 },
  },
  {
    operation: testCallbackOperation,
    tag,
    summary: 'Try the endpoint with one signed callback',
    description:
      'One attempt, now, about a message that does not exist, signed as every callback. It is not repeated, changes no circuit, and works while the endpoint is disabled. Ten a minute.',
    requestExample: { state: 'DELIVERED' },
    responseExample: {
      delivered: false,
      httpStatus: 500,
      error: 'status: the response was not 2xx',
      durationMs: 41.5,
      request: {
        headers: {
          'content-type': 'application/json',
          'user-agent': 'PartnerIntegrationService/0.1.0',
          'webhook-id': '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11-DELIVERED',
          'webhook-timestamp': '1779278400',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          authorization: 'Basic ***',
        },
        body: '{"msisdn":99999999999,"messageId":"5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11","state":"DELIVERED","time":"2026-05-20T12:00:00Z"}',
      },
    },
  },
  {
    operation: examineEndpointOperation,
    tag,
    summary: 'Examine your receiver',
    description:
      'Posts what a receiver must take (2xx) and what it must refuse (4xx), about messages and numbers that do not exist, and says what to change. Nothing else is sent where a valid callback is not taken. It takes 25 s at most, keeps to maxPerSecond, changes no circuit, and works while the endpoint is disabled. Five in 10 minutes.',
    responseExample: {
      examinedAt: time,
      passed: 1,
      failed: 1,
      checks: [
        {
          check: 'VALID',
          expected: '2xx',
          httpStatus: 200,
          durationMs: 12,
          verdict: 'PASSED',
          meaning: 'A callback as we send them: taken.',
        },
        {
          check: 'TIMESTAMP_OLD',
          expected: '4xx',
          httpStatus: 200,
          durationMs: 11,
          verdict: 'FAILED',
          meaning:
            'A callback that was signed ten minutes ago: taken; refuse timestamps more than five minutes old, or a recorded callback can be sent again for ever.',
        },
      ],
    },
  },
  {
    operation: listCallbacksOperation,
    tag,
    summary: 'List callbacks that were not delivered at once',
    description:
      'By the time of their state, newest first, kept 30 days. What was delivered at once, or to the feed, stands at the time of its delivery: for 7 days with the mode `feed`, for 3 with `log: all`.',
    responseExample: {
      callbacks: [
        {
          messageId: '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11',
          msisdn: 79_001_234_567,
          state: 'DELIVERED',
          status: 'waiting',
          attempts: [{ time, httpStatus: 500, error: 'status', durationMs: 41 }],
          nextAttemptAt: '2026-05-20T12:00:05.000Z',
        },
      ],
    },
  },
  {
    operation: readFeedOperation,
    tag,
    summary: 'Read your callbacks, if your server takes no requests',
    description:
      'With the mode `feed` what would have been posted, in the order in which it was written, each at least once, 7 days; no entry ever appears behind a cursor. With the mode `post` and `log: all` what was delivered at once, 3 days. Any number of readers, each with its own cursor: nothing is acknowledged. A cursor older than 7 days is refused, because entries may be gone.',
    responseExample: {
      callbacks: [
        {
          webhookId: '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11-DELIVERED',
          time,
          body: '{"msisdn":79001234567,"messageId":"5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11","state":"DELIVERED","time":"2026-05-20T12:00:00Z"}',
        },
      ],
      cursor: 'WyJmZWVkIix7InNrIjoiMDAxNzc5Mjc4NDAwMDAxIyIsImNhbGxiYWNrcyI6MH1d',
      more: false,
    },
  },
  {
    operation: replayCallbacksOperation,
    tag,
    summary: 'Send callbacks again',
    description:
      'Those of some messages, or those failed or skipped in a time; 5,000 at most, `more` says whether there are others; 10,000 in 10 minutes. They begin to go out within two minutes, 5,000 a minute, each with a schedule of its own. What is under way is left alone.',
    requestExample: { status: 'skipped', since: '2026-05-20T00:00:00Z' },
    responseExample: { replayed: 12, more: false },
  },
] satisfies readonly Documented[];
