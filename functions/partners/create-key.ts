import { partner } from '../../shared/partners/callers.ts';
import { newLogin, newSecret } from '../../shared/partners/credentials.ts';
import { keyFailure, MadeKey, membersOf, NewKeyRequest } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';

export const createKeyOperation = operation({
  id: 'CreateKey',
  route: 'POST /keys',
  caller: partner([], 'full'),
  requests: changeOfSettings,
  body: NewKeyRequest,
  response: MadeKey,
  secretMembers: ['secret'],
  failures: ['ROLE_FORBIDDEN', 'OFFER_FORBIDDEN', 'KEY_NOT_FOUND', 'KEY_LIMIT_EXCEEDED', 'CHANGED_MEANWHILE'],
});

/** Makes a key of the partner and shows its secret, this once. */
export function createKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(createKeyOperation, deps, async (call) => {
    const { partnerId, key, body, requestId, operationToken, addFields } = call;
    const { offerIds, ...given } = body;
    const madeBy = operationToken ?? requestId;
    const login = newLogin(partnerId, madeBy);
    const { secret, stored } = newSecret(login, deps, madeBy);
    const wanted = { ...given, login, onlyOfferIds: offerIds, secret: stored };
    const made = await deps.keys.create(partnerId, wanted, key);
    if (made.outcome !== 'created') return keyFailure(made.outcome, login);
    addFields({ made: login, role: body.role });
    return ok({ login, secret, ...membersOf(made.key) });
  });
}
