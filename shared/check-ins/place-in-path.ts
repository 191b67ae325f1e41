import { fail } from '../platform/http/failures.ts';
import type { GatewayEvent } from '../platform/http/operation.ts';

const pathOfCheckIns = /^\/partner\/api\/place\/(.+)\/checkins$/s;

/**
 * Reads the service point that a request is about (rule 53) from the path as the gateway decoded it, once: an encoded
 * slash is a slash there, whether the gateway decodes before or after it chooses the route. The gateway's own path
 * parameters are not read, because it may have decoded them twice, which would make "12/3" of the itemId "12%2F3".
 */
export function placeInPath({ rawPath, queryStringParameters }: GatewayEvent) {
  const placeId = pathOfCheckIns.exec(rawPath)?.[1];
  const inQuery = queryStringParameters?.['placeId'];
  if (placeId === undefined) return fail('PLACE_NOT_FOUND', `path: must end in /checkins, ${advice}`);
  if (inQuery === undefined) return { placeId };
  if (placeId === '-') return { placeId: inQuery };
  return fail('REQUEST_INVALID', `placeId: is in the path and in the query, ${advice}`);
}

const advice = 'an itemId that no path can carry goes to /partner/api/place/-/checkins?placeId=';
