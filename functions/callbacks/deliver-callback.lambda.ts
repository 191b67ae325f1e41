import { deliveryConnections } from '../../shared/callbacks/delivery-connections.ts';
import { deliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import { deliverCallback } from './deliver-callback.ts';

export const handler = deliverCallback(deliveryDeps(deliveryConnections()));
