import { configOf } from '../../infra/config.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint-health.ts';

const cacheMinutes = configOf('prod').authorizerCacheSeconds / 60;

/** After changes of what the authorizer says. */
export const atTheGateway = `It takes effect within ${cacheMinutes} minutes: the gateway remembers that long whom it let in.`;

/** After changes of an endpoint. */
export const atTheWorkers = `It takes effect within ${viewKeptMs / 1_000} seconds, in all workers.`;
