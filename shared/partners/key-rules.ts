import type { Clock } from '../platform/runtime/clock.ts';
import { type Ids, uuidFrom } from '../platform/runtime/ids.ts';
import { type Account, offersOf, type Secret } from './account.ts';
import { digestOf } from './credentials.ts';

/** A partner's keys, at most. */
export const maxKeys = 20;

/** The key of a request, with the secret that was used. */
export type ActingKey = { login: string; secretCreatedAt: number };

/** Whether it is the last full key without limits, which stays, because only such a key can give out every other. */
export function isLastOwner(keys: readonly Account[], login: string): boolean {
  const owners = keys.filter(({ role, onlyOfferIds }) => role === 'full' && onlyOfferIds === undefined);
  return owners.length === 1 && owners[0]?.login === login;
}

/** Whether the key and the secret that was used have not ended. */
export function isLive({ disabled, secrets }: Account, { secretCreatedAt }: ActingKey): boolean {
  return !disabled && secrets.some(({ createdAt }) => createdAt === secretCreatedAt);
}

/**
 * The acting key as it is now; `undefined` when it, or the secret that was used, has ended: the gateway may let it
 * in for some minutes more, and it must not give itself a new key in that time.
 */
export function liveKeyOf(keys: readonly Account[], actingKey: ActingKey): Account | undefined {
  return keys.find((key) => key.login === actingKey.login && key.role === 'full' && isLive(key, actingKey));
}

/** Whether a key may have these offers, or be managed with them, by a key that may be limited itself. */
export function coversOffers(key: Account, onlyOfferIds: readonly string[] | undefined): boolean {
  if (onlyOfferIds === undefined) return key.onlyOfferIds === undefined;
  const reached = offersOf(key);
  return onlyOfferIds.every((offerId) => reached.includes(offerId));
}

export type Refusal = 'unknown' | 'ended' | 'out of scope';

/** Why a key must not be managed; operators have no actingKey. */
export function refusalOf(
  keys: readonly Account[],
  login: string,
  actingKey: ActingKey | undefined,
): Refusal | undefined {
  const managed = keys.find((key) => key.login === login);
  if (!managed) return 'unknown';
  if (!actingKey) return undefined;
  const live = liveKeyOf(keys, actingKey);
  if (!live) return 'ended';
  // A key may always manage itself.
  return live.login === login || coversOffers(live, managed.onlyOfferIds) ? undefined : 'out of scope';
}

/** Rule 50: such a key could do nothing. Those that exist from before are refused when they are used. */
export function sendsLimited({ role, onlyOfferIds }: Pick<Account, 'role' | 'onlyOfferIds'>): boolean {
  return role === 'messages' && onlyOfferIds !== undefined;
}

/** The same login for a request and its repetitions, so that they make one key. */
export function newLogin(partnerId: string, operationToken: string): string {
  return `${partnerId}-${uuidFrom(`${partnerId} ${operationToken}`).replaceAll('-', '').slice(0, 16)}`;
}

/** A new secret of 256 random bits, and what is stored of it. */
export function newSecret(login: string, { ids, clock }: { ids: Ids; clock: Clock }, madeBy?: string) {
  const secret = ids.token(32);
  const stored: Secret = { digest: digestOf({ login, secret }), createdAt: clock.now(), madeBy };
  return { secret, stored };
}
