import type * as z from 'zod/mini';
import type { Operation } from '../../shared/platform/http/operation.ts';

/** The operations that the console calls. These contracts also make the OpenAPI document; only their types are imported. */
type Called =
  | typeof import('../../functions/alerts/delete-alerts.ts').deleteAlertsOperation
  | typeof import('../../functions/alerts/get-alerts.ts').getAlertsOperation
  | typeof import('../../functions/alerts/put-alerts.ts').putAlertsOperation
  | typeof import('../../functions/alerts/test-alerts.ts').testAlertsOperation
  | typeof import('../../functions/callbacks/disable-endpoint.ts').disableEndpointOperation
  | typeof import('../../functions/callbacks/enable-endpoint.ts').enableEndpointOperation
  | typeof import('../../functions/callbacks/examine-endpoint.ts').examineEndpointOperation
  | typeof import('../../functions/callbacks/get-endpoint.ts').getEndpointOperation
  | typeof import('../../functions/callbacks/list-callbacks.ts').listCallbacksOperation
  | typeof import('../../functions/callbacks/put-endpoint.ts').putEndpointOperation
  | typeof import('../../functions/callbacks/replay-callbacks.ts').replayCallbacksOperation
  | typeof import('../../functions/callbacks/retire-endpoint-secret.ts').retireEndpointSecretOperation
  | typeof import('../../functions/callbacks/rotate-endpoint-secret.ts').rotateEndpointSecretOperation
  | typeof import('../../functions/callbacks/test-callback.ts').testCallbackOperation
  | typeof import('../../functions/check-ins/list-check-ins.ts').listCheckInsOperation
  | typeof import('../../functions/check-ins/register-check-in.ts').registerCheckInOperation
  | typeof import('../../functions/events/list-events.ts').listEventsOperation
  | typeof import('../../functions/partners/create-key.ts').createKeyOperation
  | typeof import('../../functions/partners/delete-key.ts').deleteKeyOperation
  | typeof import('../../functions/partners/get-own-key.ts').getOwnKeyOperation
  | typeof import('../../functions/partners/list-keys.ts').listKeysOperation
  | typeof import('../../functions/partners/retire-key.ts').retireKeyOperation
  | typeof import('../../functions/partners/rotate-key.ts').rotateKeyOperation
  | typeof import('../../functions/places/get-sync.ts').getSyncOperation
  | typeof import('../../functions/places/list-places.ts').listPlacesOperation
  | typeof import('../../functions/places/list-syncs.ts').listSyncsOperation
  | typeof import('../../functions/places/start-sync.ts').startSyncOperation
  | typeof import('../../functions/promotions/create-promotion.ts').createPromotionOperation
  | typeof import('../../functions/promotions/get-promotion.ts').getPromotionOperation
  | typeof import('../../functions/promotions/list-promotions.ts').listPromotionsOperation
  | typeof import('../../functions/promotions/update-promotion.ts').updatePromotionOperation
  | typeof import('../../functions/push/cancel-push.ts').cancelPushOperation
  | typeof import('../../functions/push/get-delivery-history.ts').getDeliveryHistoryOperation
  | typeof import('../../functions/push/get-send-report.ts').getSendReportOperation
  | typeof import('../../functions/push/list-sends.ts').listSendsOperation
  | typeof import('../../functions/push/send-bulk.ts').sendBulkOperation
  | typeof import('../../functions/push/send-message.ts').sendMessageOperation
  | typeof import('../../functions/sandbox/delete-phone.ts').deletePhoneOperation
  | typeof import('../../functions/sandbox/get-phone.ts').getPhoneOperation
  | typeof import('../../functions/sandbox/list-phones.ts').listPhonesOperation
  | typeof import('../../functions/sandbox/open-phone-message.ts').openPhoneMessageOperation
  | typeof import('../../functions/sandbox/open-sandbox-check-in.ts').openSandboxCheckInOperation
  | typeof import('../../functions/sandbox/put-phone.ts').putPhoneOperation;

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

/** The path, query and body of a request to a route. A query may be given as numbers and is sent as text. */
export type Input<R extends Route> = Member<'path', Sent<'path', By<R>>> &
  Member<'query', Texts<Sent<'query', By<R>>>> &
  Member<'body', Sent<'body', By<R>>>;

type Texts<Query> = [Query] extends [never]
  ? never
  : { [name in keyof Query]?: string | number | boolean | undefined };

export type ResponseTo<R extends Route> = z.output<By<R>['response']>;
