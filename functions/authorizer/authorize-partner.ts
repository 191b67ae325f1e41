import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { packPlaces } from '../../shared/partners/allowed-places.ts';
import type { PartnerContext } from '../../shared/partners/callers.ts';
import { type Credentials, matchAmong, readBasic } from '../../shared/partners/credentials.ts';
import { offersOf } from '../../shared/partners/key-rules.ts';
import { Login } from '../../shared/partners/partner-ids.ts';
import { type PartnerStore, partnerStore } from '../../shared/partners/partner-store.ts';
import { errorName } from '../../shared/platform/logging/error-name.ts';
import { startWork } from '../../shared/platform/logging/log.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { type Timed, withinTime } from '../../shared/platform/runtime/time-left.ts';
import { connectTable } from '../../shared/platform/table/table.ts';

export type Verdict = { isAuthorized: true; context: PartnerContext } | { isAuthorized: false };

/**
 * Decides whether the caller is a partner (HTTP Basic), and tells the endpoints which one. The gateway caches the
 * verdict for 5 minutes by the Authorization header, so a revoked secret works that much longer at most.
 */
export function authorizePartner({ partners, pushesPerMinute } = connect()) {
  return (
    event: Pick<APIGatewayRequestAuthorizerEventV2, 'headers' | 'requestContext'>,
    context?: Timed,
  ): Promise<Verdict> =>
    withinTime(context, async () => {
      const work = startWork('AuthorizePartner', { requestId: event.requestContext.requestId });
      const credentials = credentialsIn(event.headers?.['authorization']);
      try {
        const authenticated = credentials && (await authenticate(partners, credentials));
        if (!authenticated) {
          work.addMetrics({ Refused: 1 });
          work.done('refused');
          return { isAuthorized: false };
        }
        const { key, secretCreatedAt } = authenticated;
        const { partnerId, login, role, limits, placeIds } = key;
        work.done('authorized', { partnerId, login, role });
        const places = placeIds ? { places: packPlaces(placeIds) } : {};
        const offerIds = offersOf(key);
        const ofStage = { ...limits, pushesPerMinute: limits.pushesPerMinute ?? pushesPerMinute };
        // Even a key that names all offers that there are is limited.
        const limited = key.onlyOfferIds !== undefined;
        const context = { partnerId, login, secretCreatedAt, role, offerIds, limits: ofStage, limited };
        return { isAuthorized: true, context: { ...context, ...places } };
      } catch (error) {
        const login = credentials?.login;
        // If the row of this login does not parse nobody knows its partner, whose failure it is all the same.
        const partnerId = errorName(error) === '$ZodError' ? login : undefined;
        work.failed(error, { login, partnerId });
        throw error;
      }
    });
}

/** A string that cannot be a login is not looked up: it may be longer than a key of the table. */
function credentialsIn(header: string | undefined): Credentials | undefined {
  const credentials = readBasic(header);
  return Login.safeParse(credentials?.login).success ? credentials : undefined;
}

async function authenticate(partners: PartnerStore, credentials: Credentials) {
  const key = await partners.key(credentials.login);
  const digests = key?.secrets.map(({ digest }) => digest) ?? [];
  const secret = key?.secrets[matchAmong(credentials, digests)];
  if (!key || !secret || key.disabled) return undefined;
  return { key, secretCreatedAt: secret.createdAt };
}

function connect() {
  // The stage's default rate limit, in recipients a minute; a partner may have an agreed limit instead.
  const pushesPerMinute = Number(readEnv('PUSHES_PER_MINUTE'));
  return { partners: partnerStore(connectTable(readEnv('TABLE_NAME'))), pushesPerMinute };
}
