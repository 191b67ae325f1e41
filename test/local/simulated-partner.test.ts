import { expect, onTestFinished, test } from 'vitest';
import { partnerUrl, startPartnerSimulator } from '../../local/simulators/partner.ts';
import { callbackRequest } from '../../shared/callbacks/callback.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';

const keys = {
  webhookSecret: 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=',
  login: 'wallet-service',
  secret: 'known',
};
const otherKeys = { ...keys, webhookSecret: 'whsec_YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=' };

test('a simulated partner verifies what it takes, remembers it the oldest first, and shares nothing with the other', async () => {
  const { port, stop } = await startPartnerSimulator(0, (name) => ({ main: keys, other: otherKeys })[name]);
  onTestFinished(stop);
  const { post } = guardedClient(addressPolicy('loopback-too'));
  /** Calls the partner's endpoint as the service does. Returns the status of the response. */
  const callBack = async (name: 'main' | 'other', { webhookSecret, login, secret }: typeof keys) => {
    const endpoint = {
      partnerId: 'bars',
      url: `${partnerUrl(name, port)}/callback`,
      basic: { login, secret },
      signingSecrets: [{ secret: webhookSecret, createdAt: 1 }],
      timeoutMs: 5_000,
      status: 'enabled' as const,
    };
    const callback = {
      partnerId: 'bars',
      messageId: 'm-1',
      msisdn: 79001234567,
      state: 'DELIVERED' as const,
    };
    return (await post(callbackRequest(endpoint, { ...callback, changedAt: 0 }, Date.now()))).httpStatus;
  };
  const received = async (name: 'main' | 'other') =>
    (await (await fetch(`${partnerUrl(name, port)}/received`)).json()) as { verified: boolean }[];

  expect(await callBack('main', keys)).toBe(200);
  expect(await callBack('main', { ...keys, secret: 'guessed' })).toBe(200);
  expect(await callBack('main', otherKeys)).toBe(200);
  const behave = (content: object) =>
    fetch(`${partnerUrl('main', port)}/behave`, { method: 'POST', body: JSON.stringify(content) });
  expect(await (await behave({ stat: 503, delayms: 10 })).json()).toEqual({
    errors: ['body: stat, delayms: unknown, known are status, delayMs, times, close'],
  });
  await behave({ status: 500 });
  expect(await callBack('main', keys)).toBe(500);
  expect(await callBack('other', otherKeys)).toBe(200);
  expect((await received('main')).map(({ verified }) => verified)).toEqual([true, false, false, true]);
  expect(await received('main')).toMatchObject([
    {
      headers: { 'webhook-id': 'm-1-DELIVERED', 'content-type': 'application/json' },
      raw: '{"msisdn":79001234567,"messageId":"m-1","state":"DELIVERED","time":"1970-01-01T00:00:00Z"}',
      answered: 200,
    },
    { answered: 200 },
    { answered: 200 },
    { answered: 500 },
  ]);
  expect(await received('other')).toMatchObject([{ verified: true }]);
});
