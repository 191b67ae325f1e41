import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { Judged } from '../../../shared/callbacks/examination/judge.ts';
import { basic as authorizationOf } from '../../support/basic.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';
import { selfServiceRig } from './self-service-rig.ts';

export type Request = { headers: Record<string, string>; body: string; secret: string };
/** A partner's server: the status of its response to a callback. */
export type Receiver = (request: Request) => number;
export type Settings = Parameters<Awaited<ReturnType<typeof selfServiceRig>>['saveEndpoint']>[1];
export type Examination = { examinedAt: string; passed: number; failed: number; checks: Judged[] };

export const signingSecret = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: 1 };
export const basic = { login: 'wallet', secret: 'pass:word' };
export const basicHeader = authorizationOf('wallet', 'pass:word');

/** A receiver on loopback, and the operation that examines it. */
export async function examinationRig() {
  const rig = await selfServiceRig();
  // Receivers compare the timestamp with the real time.
  rig.clock.set(Date.now());
  const server = await loopbackPartner();
  const setReceiver = (settings: Settings = {}) =>
    rig.saveEndpoint(server.url, { signingSecrets: [signingSecret], ...settings });
  const examine = (stage: 'local' | 'deployed' = 'local') => rig.ask('examine', undefined, { stage });
  return {
    ...rig,
    server,
    setReceiver,
    examine,
    examined: async (receiver: Receiver, settings: Settings = {}): Promise<Examination> => {
      await setReceiver(settings);
      server.responses((response, received) => {
        const headers = received.headers as Record<string, string>;
        const status = receiver({ headers, body: received.body, secret: signingSecret.secret });
        reply(status)(response, received);
      });
      const { status, body } = await examine();
      expect(status).toBe(200);
      return body;
    },
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
