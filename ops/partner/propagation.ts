import { configOf } from '../../infra/config.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint-health.ts';

const cacheMinutes = configOf('prod').authorizerCacheSeconds / 60;

/** After changes of what the authorizer answers. */
export const effectiveAtGateway = `It takes effect within ${cacheMinutes} minutes: so long the gateway caches the authorizer's answer.`;

/** After changes of an endpoint. */
export const effectiveAtWorkers = `It takes effect within ${viewKeptMs / 1_000} seconds, in all workers.`;
