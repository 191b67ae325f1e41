import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { type Account, Login } from '../../shared/partners/account.ts';
import type { PartnerContext } from '../../shared/partners/callers.ts';
import { matchesAny, readBasic } from '../../shared/partners/credentials.ts';
import type { PartnerStore } from '../../shared/partners/partner-store.ts';
import { startWork } from '../../shared/runtime/log.ts';

type Deps = { partners: Pick<PartnerStore, 'account'> };

export type Verdict = { isAuthorized: true; context: PartnerContext } | { isAuthorized: false };

/**
 * Decides whether the caller is a partner (HTTP Basic), and tells the endpoints which one. The gateway caches the
 * verdict for 5 minutes by the Authorization header, so a revoked secret works that much longer at most.
 */
export function authorizePartner({ partners }: Deps) {
  return async (
    event: Pick<APIGatewayRequestAuthorizerEventV2, 'headers' | 'requestContext'>,
  ): Promise<Verdict> => {
    const work = startWork('AuthorizePartner', { requestId: event.requestContext.requestId });
    try {
      const account = await authenticate(partners, event.headers?.['authorization']);
      if (!account) {
        work.addMetrics({ Refused: 1 });
        work.done('refused');
        return { isAuthorized: false };
      }
      work.done('authorized', { partnerId: account.partnerId });
      const { partnerId, offerIds, limits } = account;
      return { isAuthorized: true, context: { partnerId, offerIds, limits } };
    } catch (error) {
      work.failed(error);
      throw error;
    }
  };
}

async function authenticate(
  partners: Deps['partners'],
  header: string | undefined,
): Promise<Account | undefined> {
  const credentials = readBasic(header);
  // A string that cannot be a login is not looked up: it may be longer than a key of the table.
  if (!credentials || !Login.safeParse(credentials.login).success) return undefined;
  const account = await partners.account(credentials.login);
  const digests = account?.secrets.map(({ digest }) => digest) ?? [];
  return matchesAny(credentials, digests) && !account?.disabled ? account : undefined;
}
