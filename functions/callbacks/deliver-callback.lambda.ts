import { deployedDeps } from '../../shared/callbacks/delivery/deps.ts';
import { deliverCallback } from './deliver-callback.ts';

export const handler = deliverCallback(deployedDeps());
