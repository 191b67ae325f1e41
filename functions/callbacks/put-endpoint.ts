import * as z from 'zod/mini';
import { CallbackLog } from '../../shared/callbacks/endpoint/endpoint.ts';
import type { SetEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { ShownSettings, shownSettings } from '../../shared/callbacks/endpoint/shown.ts';
import { Login } from '../../shared/partners/account.ts';
import { partner } from '../../shared/partners/callers.ts';
import { type EndpointDeps, endpoint } from '../../shared/platform/http/endpoint.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { ok, operation } from '../../shared/platform/http/operation.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { text } from '../../shared/platform/validation/text.ts';

const Basic = named('CallbackCredentials', {
  login: Login,
  password: text(1, 512).check(
    // RFC 7617 forbids them.
    z.refine((password) => !/\p{Cc}/u.test(password), { message: 'must have no control characters' }),
  ),
});

export const putEndpointOperation = operation({
  id: 'PutEndpoint',
  route: 'PUT /callbacks/endpoint',
  caller: partner([]),
  body: named('PutEndpointRequest', {
    url: described(
      z.optional(z.string().check(z.maxLength(2_048))),
      'https, public, port 443 or from 1024 on; required the first time',
    ),
    basic: described(z.optional(z.nullable(Basic)), 'What callbacks carry as HTTP Basic; null ends it'),
    timeoutSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(30))),
    log: described(
      z.optional(CallbackLog),
      'Whether GET /callbacks also lists, for 3 days, what was delivered at once',
    ),
  }),
  response: ShownSettings,
  secretMembers: ['secret'],
  failures: ['REQUEST_INVALID'],
});

type Deps = EndpointDeps & { set: SetEndpoint; logByDefault: CallbackLog };

/** Sets where and how the partner is called back; what is left out stays. */
export function putEndpoint(deps: Deps) {
  return endpoint(putEndpointOperation, deps, async ({ callerId, key, body, operationToken, addFields }) => {
    const { url, basic, timeoutSeconds, log } = body;
    const change = {
      url,
      basic: basic && { login: basic.login, secret: basic.password },
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1_000,
      log,
    };
    const saved = await deps.set(callerId, change, { by: key.login, madeBy: operationToken });
    if ('urlRefused' in saved) return fail('REQUEST_INVALID', `url: ${saved.urlRefused}`);
    const { endpoint: stored, changed, signingSecret } = saved;
    addFields({ changed });
    return ok({ ...shownSettings(stored, deps.logByDefault), secret: signingSecret });
  });
}
