import { expect, test } from 'vitest';
import packageFile from '../../../package.json' with { type: 'json' };
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

test('rule 36: the user agent has the version of the package', () => {
  expect(userAgent).toBe(`PartnerIntegrationService/${packageFile.version}`);
});

test('what travels through the queue comes out as it went in', () => {
  const one = { ...callback, utm: '{"utmSource":"a\uffff\ufffe\u0001"}'.replace('\u0001', '\\u0001') };
  const group = [one, { ...one, state: 'OPENED' as const }];
  const recorded = group.map((callback) => ({ ...callback, recordedAt: noon }));
  const message = readCallbackMessage(firstMessage(recorded));
  expect(message).toMatchObject({ kind: 'first', recordedAt: noon });
  expect(message && dueCallbacksOf(message)).toEqual(group);
});
