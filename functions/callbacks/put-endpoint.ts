import * as z from 'zod/mini';
import {
  CallbackLog,
  CallbackMode,
  ChosenStates,
  logByDefault,
  MaxPerSecond,
} from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { setEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { ShownSettings, shownSettings } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { Login } from '../../shared/partners/partner-ids.ts';
import { ownService } from '../../shared/platform/egress/own-address.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { text } from '../../shared/platform/validation/text.ts';

const Basic = named('CallbackCredentials', {
  login: Login,
  password: text(1, 512).check(
    // RFC 7617 forbids control characters.
    z.refine((password) => !/\p{Cc}/u.test(password), { message: 'must have no control characters' }),
  ),
});

export const putEndpointOperation = operation({
  id: 'PutEndpoint',
  route: 'PUT /callbacks/endpoint',
  caller: partner([]),
  requests: changeOfSettings,
  body: named('PutEndpointRequest', {
    mode: described(
      z.optional(CallbackMode),
      'post (if never set): to url. feed: the partner reads them from GET /callbacks/feed, and needs no url',
    ),
    url: described(
      z.optional(z.string().check(z.maxLength(2_048))),
      'https, public, port 443 or from 1024 on; required before the first callback is posted',
    ),
    basic: described(
      z.optional(z.nullable(Basic)),
      'What callbacks carry as HTTP Basic; null ends it. While it is set, required with a url of another origin',
    ),
    timeoutSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(30))),
    log: described(
      z.optional(CallbackLog),
      'Whether GET /callbacks also lists, for 3 days, what was delivered at once',
    ),
    maxPerSecond: described(
      z.optional(z.nullable(MaxPerSecond)),
      'How many callbacks a second the endpoint takes; null ends the limit',
    ),
    states: described(
      z.optional(z.nullable(ChosenStates)),
      'The states to be called back about; null: all of them',
    ),
  }),
  withoutEffect: {
    status: 'is changed by POST /callbacks/endpoint/enable and /disable, leave it out',
  },
  response: ShownSettings,
  secretMembers: ['secret'],
  failures: ['ROLE_FORBIDDEN', 'REQUEST_INVALID'],
});

/** Sets where and how the partner is called back. Settings that are left out stay. */
export function putEndpoint(deps = connect()) {
  return liveKeyHandler(putEndpointOperation, deps, async (call) => {
    const { partnerId, key, body, origin, operationToken, addFields } = call;
    if (Object.values(body).every((value) => value === undefined)) {
      const settings = Object.keys(putEndpointOperation.body.shape);
      return fail('REQUEST_INVALID', `body: needs one of ${settings.join(', ')}`);
    }
    const { url, basic, timeoutSeconds, ...others } = body;
    const change = {
      url,
      basic: basic && { login: basic.login, secret: basic.password },
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1_000,
      ...others,
    };
    const own = { ...deps.own, origins: [origin, ...deps.own.origins] };
    const saved = await deps.set(partnerId, change, { by: key.login, madeBy: operationToken, own });
    if ('urlRefused' in saved) return fail('REQUEST_INVALID', `url: ${saved.urlRefused}`);
    if ('basicNeeded' in saved)
      return fail('REQUEST_INVALID', 'basic: send it again for the new address, or null');
    const { endpoint: stored, changed, signingSecret } = saved;
    addFields({ changed });
    return ok({ ...shownSettings(stored, deps.logByDefault), secret: signingSecret });
  });
}

function connect() {
  const deps = httpDeps({ endpoints: endpointStore, keys: liveKeys });
  const addresses = addressPolicy(readEnv('CALLBACK_ADDRESSES'));
  const set = setEndpoint({ ...deps, addresses });
  return { ...deps, set, own: ownService(), logByDefault: logByDefault(readEnv('WALLET')) };
}
