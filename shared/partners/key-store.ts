import type { EventKind, NewEvent } from '../events/event.ts';
import { eventWrite } from '../events/event-store.ts';
import { isMadeBy, retired, rotated, type SecretsChange } from '../platform/http/rotation.ts';
import { loginKey } from '../platform/table/row-keys/partners.ts';
import { updateIfStill } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, putNew, transactional } from '../platform/table/transactional.ts';
import type { StoredSecret } from './credentials.ts';
import {
  type ActingKey,
  coversOffers,
  isLastOwner,
  liveKeyOf,
  maxKeys,
  offersOf,
  type Refusal,
  refusalOf,
  sendsLimited,
} from './key-rules.ts';
import { changePartner, readKey, readKeys, StoredKey } from './partner-rows.ts';

type KeyLimits = { onlyOfferIds?: string[] | undefined; placeIds?: string[] | undefined };
/** The limits to change: those that are left out stay as they are, and null ends one. */
export type KeyLimitsChange = { [Limit in keyof KeyLimits]: KeyLimits[Limit] | null };
export type NewKey = Pick<StoredKey, 'login' | 'role' | 'label'> & KeyLimits & { secret: StoredSecret };

export type KeyCreation =
  | { outcome: 'created'; key: StoredKey }
  | { outcome: 'too many' | 'login taken' | 'ended' | 'out of scope' | 'unknown' };
type NotChanged = 'last full key' | 'own key' | Refusal;
export type KeyChange = 'done' | NotChanged;
/** Who changes a key, and when. An operator has no key. */
type Manager = { actingKey?: ActingKey | undefined; atMs: number };
export type Rotation = 'done' | 'two secrets' | 'in use' | 'changed meanwhile';
export type Retirement = 'done' | 'one secret' | 'in use' | 'changed meanwhile';

/**
 * A partner's keys, for the partner and for operators. A login of another partner is an unknown one. Changes of which
 * keys there are happen one after the other; reads are strongly consistent.
 */
export function keyStore(table: Table) {
  const find = async (partnerId: string, login: string): Promise<StoredKey | undefined> => {
    const key = await readKey(table, login);
    return key?.partnerId === partnerId ? key : undefined;
  };

  return {
    find,

    /** Every key of the partner, in the order in which they were made. */
    list: async (partnerId: string): Promise<readonly StoredKey[]> =>
      (await readKeys(table, partnerId)) ?? [],

    /**
     * Adds a key that shares with the others what is true of the partner. A key that is limited to offers, and creates
     * another, hands its limit on. When the request that made this login is repeated, its key gets the new secret:
     * nobody has seen the first.
     */
    create: async (partnerId: string, key: NewKey, actingKey?: ActingKey): Promise<KeyCreation> => {
      const { login, secret, ...rest } = key;
      const { role, label } = rest;
      const created = keyEvent('key.created', { login, role, label }, { actingKey, atMs: secret.createdAt });
      let made: StoredKey | undefined;
      type Refused = 'too many' | 'ended' | 'out of scope' | 'login taken';
      const changed = await changePartner<Refused>(table, partnerId, (keys) => {
        const [{ offerIds, disabled, limits }] = keys;
        const maker = actingKey ? liveKeyOf(keys, actingKey) : { ...keys[0], onlyOfferIds: undefined };
        if (!maker) return 'ended';
        const onlyOfferIds = rest.onlyOfferIds ?? (maker.onlyOfferIds && offersOf(maker));
        if (!coversOffers(maker, onlyOfferIds) || sendsLimited({ ...rest, onlyOfferIds }))
          return 'out of scope';
        made = { login, partnerId, offerIds, disabled, limits, ...rest, onlyOfferIds, secrets: [secret] };
        const before = keys.find((other) => other.login === login);
        if (before) return replacedSecret(table, before, secret);
        if (keys.length >= maxKeys) return 'too many';
        const added = putNew(table, { ...loginKey(login), ...made });
        return {
          logins: [...keys.map((other) => other.login), login],
          writes: [added, eventWrite(table, partnerId, created)],
        };
      });
      if (changed === 'changed' && made) return { outcome: 'created', key: made };
      const isTaken = changed === 'changed' || changed === 'condition failed';
      return { outcome: isTaken ? 'login taken' : changed };
    },

    /** Changes what the key is limited to. */
    limit: async (
      partnerId: string,
      { login, ...set }: KeyLimitsChange & { login: string },
      manager: Manager,
    ): Promise<KeyChange> => {
      const changed = await changePartner<NotChanged>(table, partnerId, (keys) => {
        if (!keys.some((key) => key.login === login)) return 'unknown';
        if (set.onlyOfferIds && isLastOwner(keys, login)) return 'last full key';
        const limited = changeRow(table, loginKey(login), updateIfStill({ partnerId }, { set }));
        const event = keyEvent('limits.changed', { login, what: whatOf(set) }, manager);
        return { writes: [limited, eventWrite(table, partnerId, event)] };
      });
      return keyChangeOf(changed);
    },

    /** Deletes a key. The gateway lets it in until the cached verdict has expired. */
    remove: async (partnerId: string, login: string, manager: Manager): Promise<KeyChange> => {
      const changed = await changePartner<NotChanged>(table, partnerId, (keys) => {
        const refused = refusalOf(keys, login, manager.actingKey);
        // Of two keys that delete each other, the slower one has ended. It gets the reason why the other stays.
        if ((!refused || refused === 'ended') && isLastOwner(keys, login)) return 'last full key';
        if (refused) return refused;
        // Rule 63: it would end the secret of its own request.
        if (login === manager.actingKey?.login) return 'own key';
        return {
          logins: keys.map((key) => key.login).filter((other) => other !== login),
          writes: [
            { Delete: { TableName: table.name, Key: loginKey(login) } },
            eventWrite(table, partnerId, keyEvent('key.deleted', { login }, manager)),
          ],
        };
      });
      return keyChangeOf(changed);
    },

    /** The key, if the acting key may manage it, or why it may not. */
    findManageable: async (
      partnerId: string,
      login: string,
      actingKey: ActingKey,
    ): Promise<StoredKey | Refusal> => {
      const keys = (await readKeys(table, partnerId)) ?? [];
      const key = keys.find((one) => one.login === login);
      return refusalOf(keys, login, actingKey) ?? key ?? 'unknown';
    },

    /** Gives the key a second secret; both work. With `replace` it takes the place of the newer of two. */
    rotate: async (
      key: StoredKey,
      secret: StoredSecret,
      { replace, ...manager }: Manager & { replace?: boolean | undefined },
    ): Promise<Rotation> => {
      const change = rotated(key.secrets, secret, replace);
      if (change === 'two secrets') return change;
      return changeSecrets(table, { key, manager, kind: 'key.rotated' }, change);
    },

    /** Ends the older of a key's two secrets, as `retired` says. */
    retire: async (
      key: StoredKey,
      { madeUntil, ...manager }: Manager & { madeUntil?: number | undefined },
    ): Promise<Retirement> => {
      const change = retired(key.secrets, madeUntil);
      if (typeof change === 'string') return change;
      return changeSecrets(table, { key, manager, kind: 'key.retired' }, change);
    },
  };
}

export type KeyStore = ReturnType<typeof keyStore>;

function keyChangeOf(changed: Awaited<ReturnType<typeof changePartner<NotChanged>>>): KeyChange {
  if (changed === 'changed') return 'done';
  return changed === 'condition failed' ? 'unknown' : changed;
}

function keyEvent(kind: EventKind, data: NewEvent['data'], { actingKey, atMs }: Manager): NewEvent {
  return { kind, data, by: actingKey?.login ?? 'operator', atMs };
}

/** `offers (bars-of-moscow), service points (no limit)`. Of several only the number, because an alert is short. */
function whatOf({ onlyOfferIds, placeIds }: KeyLimitsChange): string {
  const changed = Object.entries({ offers: onlyOfferIds, 'service points': placeIds });
  const textOf = (ids: string[] | null) =>
    ids === null ? 'no limit' : ids.length === 1 ? ids[0] : ids.length;
  return changed.flatMap(([name, ids]) => (ids === undefined ? [] : [`${name} (${textOf(ids)})`])).join(', ');
}

type Managed = { key: StoredKey; manager: Manager; kind: 'key.rotated' | 'key.retired' };

/** Changes the secrets of a key that still has those that were read. Rule 63: no request ends its own secret. */
async function changeSecrets(
  table: Table,
  { key: { login, partnerId, secrets: seen }, manager, kind }: Managed,
  { secrets, ended }: SecretsChange<StoredSecret>,
): Promise<'done' | 'in use' | 'changed meanwhile'> {
  const { actingKey } = manager;
  const isInUse = login === actingKey?.login && ended?.createdAt === actingKey.secretCreatedAt;
  if (isInUse) return 'in use';
  const change = updateIfStill({ secrets: seen }, { set: { secrets } });
  const replaced = kind === 'key.rotated' && ended ? true : undefined;
  const event = eventWrite(table, partnerId, keyEvent(kind, { login, replaced }, manager));
  const changed = await transactional(table, [changeRow(table, loginKey(login), change), event]);
  if (changed.applied) return 'done';
  // Another retirement at the same moment, or the late write of a request that died, has ended the same secret.
  const there = StoredKey.safeParse(changed.existing).data?.secrets ?? [];
  const digests = (some: readonly StoredSecret[]) => some.map(({ digest }) => digest).join();
  return digests(there) === digests(secrets) ? 'done' : 'changed meanwhile';
}

/** Replaces the only secret of a key that the same request made before it died. */
function replacedSecret(table: Table, { login, secrets }: StoredKey, secret: StoredSecret) {
  const [only, another] = secrets;
  if (!only || another || !isMadeBy(only, secret.madeBy)) return 'login taken';
  const change = updateIfStill({ secrets }, { set: { secrets: [secret] } });
  return { writes: [changeRow(table, loginKey(login), change)] };
}
