import type * as z from 'zod/mini';
import type { disableEndpointOperation } from '../../functions/callbacks/disable-endpoint.ts';
import type { enableEndpointOperation } from '../../functions/callbacks/enable-endpoint.ts';
import type { getEndpointOperation } from '../../functions/callbacks/get-endpoint.ts';
import type { listCallbacksOperation } from '../../functions/callbacks/list-callbacks.ts';
import type { putEndpointOperation } from '../../functions/callbacks/put-endpoint.ts';
import type { replayCallbacksOperation } from '../../functions/callbacks/replay-callbacks.ts';
import type { retireEndpointSecretOperation } from '../../functions/callbacks/retire-endpoint-secret.ts';
import type { rotateEndpointSecretOperation } from '../../functions/callbacks/rotate-endpoint-secret.ts';
import type { testCallbackOperation } from '../../functions/callbacks/test-callback.ts';
import type { listCheckInsOperation } from '../../functions/check-ins/list-check-ins.ts';
import type { registerCheckInOperation } from '../../functions/check-ins/register-check-in.ts';
import type { createKeyOperation } from '../../functions/partners/create-key.ts';
import type { deleteKeyOperation } from '../../functions/partners/delete-key.ts';
import type { getOwnKeyOperation } from '../../functions/partners/get-own-key.ts';
import type { listKeysOperation } from '../../functions/partners/list-keys.ts';
import type { retireKeyOperation } from '../../functions/partners/retire-key.ts';
import type { rotateKeyOperation } from '../../functions/partners/rotate-key.ts';
import type { getSyncOperation } from '../../functions/places/get-sync.ts';
import type { listPlacesOperation } from '../../functions/places/list-places.ts';
import type { listSyncsOperation } from '../../functions/places/list-syncs.ts';
import type { startSyncOperation } from '../../functions/places/start-sync.ts';
import type { createPromotionOperation } from '../../functions/promotions/create-promotion.ts';
import type { getPromotionOperation } from '../../functions/promotions/get-promotion.ts';
import type { listPromotionsOperation } from '../../functions/promotions/list-promotions.ts';
import type { updatePromotionOperation } from '../../functions/promotions/update-promotion.ts';
import type { getDeliveryHistoryOperation } from '../../functions/push/get-delivery-history.ts';
import type { sendBulkOperation } from '../../functions/push/send-bulk.ts';
import type { sendMessageOperation } from '../../functions/push/send-message.ts';
import type { deletePhoneOperation } from '../../functions/sandbox/delete-phone.ts';
import type { getPhoneOperation } from '../../functions/sandbox/get-phone.ts';
import type { openPhoneMessageOperation } from '../../functions/sandbox/open-phone-message.ts';
import type { openSandboxCheckInOperation } from '../../functions/sandbox/open-sandbox-check-in.ts';
import type { putPhoneOperation } from '../../functions/sandbox/put-phone.ts';
import type { Operation } from '../../shared/http/operation.ts';

/** What the console calls: the contracts that the OpenAPI document is generated from, as types alone. */
type Called =
  | typeof createKeyOperation
  | typeof createPromotionOperation
  | typeof deleteKeyOperation
  | typeof deletePhoneOperation
  | typeof disableEndpointOperation
  | typeof enableEndpointOperation
  | typeof getDeliveryHistoryOperation
  | typeof getEndpointOperation
  | typeof getOwnKeyOperation
  | typeof getPhoneOperation
  | typeof getPromotionOperation
  | typeof getSyncOperation
  | typeof listCallbacksOperation
  | typeof listCheckInsOperation
  | typeof listKeysOperation
  | typeof listPlacesOperation
  | typeof listPromotionsOperation
  | typeof listSyncsOperation
  | typeof openPhoneMessageOperation
  | typeof openSandboxCheckInOperation
  | typeof putEndpointOperation
  | typeof putPhoneOperation
  | typeof registerCheckInOperation
  | typeof replayCallbacksOperation
  | typeof retireEndpointSecretOperation
  | typeof retireKeyOperation
  | typeof rotateEndpointSecretOperation
  | typeof rotateKeyOperation
  | typeof sendBulkOperation
  | typeof sendMessageOperation
  | typeof startSyncOperation
  | typeof testCallbackOperation
  | typeof updatePromotionOperation;

export type Route = Called['route'];
export type ReadRoute = Extract<Route, `GET ${string}`>;

type By<R extends Route> = Extract<Called, { route: R }>;
type Sent<Part extends keyof Operation, Op> = Op extends {
  [part in Part]: infer Schema extends z.ZodMiniType;
}
  ? z.input<Schema>
  : never;
type Member<Name extends string, Value> = [Value] extends [never]
  ? { [name in Name]?: never }
  : Record<never, never> extends Value
    ? { [name in Name]?: Value }
    : { [name in Name]: Value };

/** What a request to a route carries. Numbers of a query are written as text. */
export type Input<R extends Route> = Member<'path', Sent<'path', By<R>>> &
  Member<'query', Texts<Sent<'query', By<R>>>> &
  Member<'body', Sent<'body', By<R>>>;

type Texts<Query> = [Query] extends [never] ? never : { [name in keyof Query]?: string | number | boolean };

export type Answer<R extends Route> = z.output<By<R>['response']>;
