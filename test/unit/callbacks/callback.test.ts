import { expect, test } from 'vitest';
import packageFile from '../../../package.json' with { type: 'json' };
import { callbackRequest } from '../../../shared/callbacks/callback.ts';
import {
  dueCallbacksOf,
  firstMessage,
  readCallbackMessage,
} from '../../../shared/callbacks/callback-message.ts';
import { userAgent } from '../../../shared/platform/egress/signed-request.ts';

const noon = Date.UTC(2026, 4, 20, 12, 0, 0, 999);
const callback = {
  partnerId: 'bars',
  messageId: '4f6a2c1e-0000-4000-8000-000000000001',
  msisdn: 79001234567,
  state: 'DELIVERED' as const,
  changedAt: noon,
};
const secretA = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=';
const secretB = 'whsec_YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=';
const endpoint = {
  partnerId: 'bars',
  url: 'https://partner.example/status',
  signingSecrets: [{ secret: secretA, createdAt: 1 }],
  timeoutMs: 15_000,
  status: 'enabled' as const,
};

test('rule 22: the request carries the Standard Webhooks headers and, during a rotation, both signatures', () => {
  const both = {
    ...endpoint,
    signingSecrets: [...endpoint.signingSecrets, { secret: secretB, createdAt: 2 }],
  };
  expect(
    callbackRequest(
      { ...both, basic: { login: 'Aladdin', secret: 'open sesame' } },
      { ...callback, utm: '{ "utmSource": "app", "extra": [1,2] }' },
      noon,
    ),
  ).toEqual({
    url: 'https://partner.example/status',
    timeoutMs: 15_000,
    body: '{"msisdn":79001234567,"messageId":"4f6a2c1e-0000-4000-8000-000000000001","state":"DELIVERED","time":"2026-05-20T12:00:00Z","utm":{"utmSource":"app","extra":[1,2]}}',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'PartnerIntegrationService/0.1.0',
      'webhook-id': '4f6a2c1e-0000-4000-8000-000000000001-DELIVERED',
      'webhook-timestamp': '1779278400',
      // Python's hmac module has computed these signatures (HMAC-SHA256).
      'webhook-signature':
        'v1,bBVJhxET9FoIKWNGTYnsrASX0hZS/3xOpxEM5BFj4TU= v1,qoPlerSBsFmt4JNg4rRlYEo3DuIHWgp5aAdumUMxVxQ=',
      authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    },
  });
});

test('rule 36: the user agent has the version of the package', () => {
  expect(userAgent).toBe(`PartnerIntegrationService/${packageFile.version}`);
});

test('what travels through the queue comes out as it went in', () => {
  const one = { ...callback, utm: '{"utmSource":"a\uffff\ufffe\u0001"}'.replace('\u0001', '\\u0001') };
  const group = [one, { ...one, state: 'OPENED' as const }];
  const message = readCallbackMessage(firstMessage({ ...one, recordedAt: noon }, group));
  expect(message).toMatchObject({ kind: 'first', recordedAt: noon });
  expect(message && dueCallbacksOf(message)).toEqual(group.map((callback) => ({ callback })));
});

test.each([
  '',
  'x',
  '[]',
  '{"kind":"first"}',
  '{"kind":"retry","partnerId":"bars","messageId":"m","state":"SEEN","version":1}',
])('the message %j is nobody’s', (body) => {
  expect(readCallbackMessage(body)).toBeUndefined();
});
