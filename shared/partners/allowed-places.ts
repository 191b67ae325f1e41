import { createHash } from 'node:crypto';

const digestCharacters = 11;

/** 64 bits in base64url. */
function digestOf(placeId: string): string {
  return createHash('sha256').update(placeId).digest().subarray(0, 8).toString('base64url');
}

/**
 * Service points as the authorizer passes them on, equal for equal ones in any order. Their digests are 1.1 kB at most,
 * because AWS does not say how much an authorizer may pass on.
 */
export function packPlaces(placeIds: readonly string[]): string {
  return placeIds.map(digestOf).sort().join('');
}

/** Whether a key that is limited to these places may use one. */
export function isAmong(packed: string, placeId: string): boolean {
  const digest = digestOf(placeId);
  for (let at = 0; at < packed.length; at += digestCharacters) {
    if (packed.startsWith(digest, at)) return true;
  }
  return false;
}
