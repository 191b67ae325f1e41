import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { examineEndpoint } from '../../../functions/callbacks/examine-endpoint.ts';
import { getEndpoint } from '../../../functions/callbacks/get-endpoint.ts';
import { examinedStore } from '../../../shared/callbacks/examination/examined-store.ts';
import type { Judged } from '../../../shared/callbacks/examination/judge.ts';
import { callbackExaminations } from '../../../shared/callbacks/limits.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { liveKeys } from '../../../shared/partners/live-key.ts';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { idempotencyStore } from '../../../shared/platform/http/idempotency.ts';
import { requestBudgets } from '../../../shared/platform/limits/request-budget.ts';
import { systemClock } from '../../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { bars, call } from '../../support/http.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';
import { callbacksRig } from './callbacks-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

export type Request = { headers: Record<string, string>; body: string; secret: string };
/** A partner's server: the status of its response to a callback. */
export type Receiver = (request: Request) => number;
export type Settings = Parameters<Awaited<ReturnType<typeof callbacksRig>>['saveEndpoint']>[1];

export const signingSecret = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: 1 };
export const basic = { login: 'wallet', secret: 'pass:word' };
export const basicHeader = `Basic ${Buffer.from('wallet:pass:word').toString('base64')}`;

/** The operation, and a receiver on loopback for it to examine. */
export async function examinationRig() {
  const rig = await callbacksRig();
  const server = await loopbackPartner();
  await storeTwoPartners(rig.table);
  const deps = {
    ...rig,
    clock: systemClock,
    ids: systemIds,
    sleepUntil: async () => {},
    idempotency: idempotencyStore(rig.table),
    budgets: requestBudgets(rig.table),
    keys: liveKeys(rig.table),
    examinations: callbackExaminations(rig.table),
    examined: examinedStore(rig.table),
    events: eventStore(rig.table),
    logByDefault: 'failures' as const,
  };
  const client = (policy: string) => guardedClient(addressPolicy(policy), async () => ['127.0.0.1']);
  const examine = (policy = 'loopback-too') =>
    call(examineEndpoint({ ...deps, client: client(policy) }), { partner: bars, method: 'POST' });
  return {
    ...rig,
    server,
    events: deps.events,
    examine,
    examined: async (receiver: Receiver, settings: Settings = {}) => {
      const { secret } = signingSecret;
      await rig.saveEndpoint(server.url, { signingSecrets: [signingSecret], ...settings });
      server.responses((response, { headers, body }) =>
        reply(receiver({ headers: headers as Record<string, string>, body, secret }))(response, {
          headers,
          body,
          url: '',
        }),
      );
      const { status, body } = await examine();
      expect(status).toBe(200);
      return body as { examinedAt: string; passed: number; failed: number; checks: Judged[] };
    },
    endpoint: async () =>
      (await call(getEndpoint(deps), { partner: bars, method: 'GET' })).body as { examined?: object },
  };
}

/** Verified by the library that Standard Webhooks publishes. */
export function isVerified({ headers, body, secret }: Request): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** The receiver on that library. */
export function correct(request: Request): number {
  return isVerified(request) ? 204 : 401;
}
