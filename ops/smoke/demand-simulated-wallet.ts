import { usageError } from '../../build/command-line.ts';
import { type Caller, request } from '../scenario/client.ts';

/** Throws where the wallet platform is real: the gateway has no routes below /sandbox there. */
export async function demandSimulatedWallet(partner: Caller): Promise<void> {
  // Without a response the first step of the scenario says why.
  const reply = await request(partner, 'GET /sandbox/callbacks').catch(() => undefined);
  if (reply?.status !== 404) return;
  throw usageError(
    `${partner.baseUrl} has a real wallet platform: leave --sandbox out, and use AWS credentials that may call its /wallet routes.`,
  );
}
