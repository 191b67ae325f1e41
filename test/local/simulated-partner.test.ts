import { createServer } from 'node:net';
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

type Remembered = { at: string; verified: boolean; answered: number | string };

async function start(wantedPort = 0) {
  const { port, stop } = await startPartnerSimulator(
    wantedPort,
    (name) => ({ main: keys, other: otherKeys })[name],
  );
  onTestFinished(stop);
  const { post } = guardedClient(addressPolicy('loopback-too'));
  const url = partnerUrl('main', port);
  /** Calls the partner's endpoint as the service does. */
  const callBack = (change: Partial<typeof keys> = {}, base = url) => {
    const { webhookSecret, login, secret } = { ...keys, ...change };
    const endpoint = {
      partnerId: 'bars',
      url: `${base}/callback`,
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
    return post(
      callbackRequest(endpoint, { ...callback, changedAt: 0, utm: '{"utmSource":"x"}' }, Date.now()),
    );
  };
  const received = async (base = url) => (await (await fetch(`${base}/received`)).json()) as Remembered[];
  const behave = (how: unknown) =>
    fetch(`${url}/behave`, { method: 'POST', body: JSON.stringify(how) }).then(({ status }) => status);
  return { url, otherUrl: partnerUrl('other', port), callBack, received, behave };
}

test('a callback gets 200, is verified and remembered, the oldest first', async () => {
  const { callBack, received } = await start();
  expect(await callBack()).toMatchObject({ ok: true, httpStatus: 200 });
  expect(await callBack({ secret: 'guessed' })).toMatchObject({ ok: true, httpStatus: 200 });
  expect(await callBack({ webhookSecret: otherKeys.webhookSecret })).toMatchObject({ httpStatus: 200 });
  const all = await received();
  expect(all.map(({ verified }) => verified)).toEqual([true, false, false]);
  expect(all[0]).toMatchObject({
    headers: { 'webhook-id': 'm-1-DELIVERED', 'content-type': 'application/json' },
    body: {
      msisdn: 79001234567,
      messageId: 'm-1',
      state: 'DELIVERED',
      time: '1970-01-01T00:00:00Z',
      utm: { utmSource: 'x' },
    },
    raw: '{"msisdn":79001234567,"messageId":"m-1","state":"DELIVERED","time":"1970-01-01T00:00:00Z","utm":{"utmSource":"x"}}',
    answered: 200,
  });
  expect(Date.now() - Date.parse(all[0]?.at ?? '')).toBeLessThan(10_000);
});

test('the two partners share nothing', async () => {
  const { otherUrl, callBack, behave, received } = await start();
  await behave({ status: 500 });
  expect(await callBack(otherKeys, otherUrl)).toMatchObject({ httpStatus: 200 });
  expect(await received()).toEqual([]);
  expect(await received(otherUrl)).toMatchObject([{ verified: true }]);
});

test('a taken port is replaced by a free one, and an unknown path names the known ones', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    taken.close();
  });
  const { port } = taken.address() as { port: number };
  const { url } = await start(port);
  expect(url).not.toContain(`:${port}`);
  const response = await fetch(`${url}/callbacks`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ routes: expect.arrayContaining(['GET /received']) });
});
