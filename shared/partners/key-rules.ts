import type { StoredKey } from './partner-rows.ts';

/** A partner's keys, at most. */
export const maxKeys = 20;

/** The key of a request, with the secret that was used. */
export type ActingKey = { login: string; secretCreatedAt: number };

/** Whether it is the last full key without limits, which stays, because only such a key can give out every other. */
export function isLastOwner(keys: readonly StoredKey[], login: string): boolean {
  const owners = keys.filter(({ role, onlyOfferIds }) => role === 'full' && onlyOfferIds === undefined);
  return owners.length === 1 && owners[0]?.login === login;
}

/** Whether the key and the secret that was used have not ended. */
export function isLive({ disabled, secrets }: StoredKey, { secretCreatedAt }: ActingKey): boolean {
  return !disabled && secrets.some(({ createdAt }) => createdAt === secretCreatedAt);
}

/**
 * The acting key as it is now; `undefined` when it, or the secret that was used, has ended: the gateway may let it
 * in for some minutes more, and it must not give itself a new key in that time.
 */
export function liveKeyOf(keys: readonly StoredKey[], actingKey: ActingKey): StoredKey | undefined {
  return keys.find((key) => key.login === actingKey.login && key.role === 'full' && isLive(key, actingKey));
}

/** Whether a key may give these offers to another one, which needs one at least. It may be limited itself. */
export function coversOffers(key: StoredKey, onlyOfferIds: readonly string[] | undefined): boolean {
  if (onlyOfferIds === undefined) return key.onlyOfferIds === undefined;
  const reached = offersOf(key);
  return onlyOfferIds.length > 0 && onlyOfferIds.every((offerId) => reached.includes(offerId));
}

export type Refusal = 'unknown' | 'ended' | 'out of scope';

/** Why a key must not be managed; operators have no actingKey. */
export function refusalOf(
  keys: readonly StoredKey[],
  login: string,
  actingKey: ActingKey | undefined,
): Refusal | undefined {
  const managed = keys.find((key) => key.login === login);
  if (!managed) return 'unknown';
  if (!actingKey) return undefined;
  const live = liveKeyOf(keys, actingKey);
  if (!live) return 'ended';
  // A key may always manage itself.
  return live.login === login || coversLimits(live, managed) ? undefined : 'out of scope';
}

/** Whether a key reaches what another one may name. Offers that the partner has lost since do not matter. */
function coversLimits({ onlyOfferIds: own }: StoredKey, { onlyOfferIds: others }: StoredKey): boolean {
  return own === undefined || (others?.every((offerId) => own.includes(offerId)) ?? false);
}

/** Rule 50: such a key could do nothing. Those that exist from before are refused when they are used. */
export function sendsLimited({ role, onlyOfferIds }: Pick<StoredKey, 'role' | 'onlyOfferIds'>): boolean {
  return role === 'messages' && onlyOfferIds !== undefined;
}

/** The offers that requests with this key may name. */
export function offersOf({ offerIds, onlyOfferIds }: StoredKey): string[] {
  return onlyOfferIds ? offerIds.filter((offerId) => onlyOfferIds.includes(offerId)) : offerIds;
}
