import { deliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import { deliveryOutside } from '../../shared/callbacks/delivery-outside.ts';
import { deliverCallback } from './deliver-callback.ts';

export const handler = deliverCallback(deliveryDeps(deliveryOutside()));
