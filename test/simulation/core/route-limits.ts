import * as z from 'zod/mini';
import { findResources, readAssembly } from '../../../local/template/assembly.ts';

const Limit = z.object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() });
const StageProperties = z.object({
  DefaultRouteSettings: Limit,
  RouteSettings: z._default(z.record(z.string(), Limit), {}),
});
export type RouteLimits = z.infer<typeof StageProperties>;

/** Reads from the templates in the folder how many requests the gateway takes on each route. */
export function readRouteLimits(folder: string): RouteLimits {
  const [stage] = findResources(readAssembly(folder), 'AWS::ApiGatewayV2::Stage', StageProperties);
  if (!stage) throw new Error(`the templates in ${folder} have no stage of the API`);
  return stage.properties;
}

/**
 * Returns a function that says whether the gateway takes a request of the route now. Each route has a bucket of tokens
 * of its own, as large as the burst, and each request takes a token.
 * docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export function createTakesRequest(limits: RouteLimits | undefined, now: () => number) {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return (routeKey: string): boolean => {
    if (!limits) return true;
    const { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: burst } =
      limits.RouteSettings[routeKey] ?? limits.DefaultRouteSettings;
    const bucket = buckets.get(routeKey) ?? { tokens: burst, atMs: now() };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now() - bucket.atMs) / 1_000) * perSecond);
    bucket.atMs = now();
    buckets.set(routeKey, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}
