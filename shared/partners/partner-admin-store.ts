import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { eventWrite } from '../events/event-store.ts';
import { type Clock, systemClock } from '../platform/runtime/clock.ts';
import { readAll } from '../platform/table/batches.ts';
import { loginKey, offerKey, partnerKey, partnersPartition } from '../platform/table/row-keys/partners.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { inPartition, queryRows, updateIfStill } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, putNew, transactional } from '../platform/table/transactional.ts';
import {
  changePartner,
  Offer,
  PartnerEntry,
  readKey,
  readKeys,
  StoredKey,
  setInKeys,
} from './partner-rows.ts';

export type Creation =
  | { outcome: 'created' }
  /** `offerId` is the offer that another partner already has. */
  | { outcome: 'taken'; what: 'partner' | 'login' | 'offer'; offerId?: string };

/**
 * Partners for operators' commands. Every change is conditional on the rows as they were read, so that of two
 * operators at once neither undoes the other's change: it returns false and changes nothing. What is true of a partner
 * changes in all its keys at once. Reads are strongly consistent.
 */
export function partnerAdminStore(table: Table, clock: Clock = systemClock) {
  const limitsChanged = (partnerId: string, data: Record<string, unknown>) =>
    eventWrite(table, partnerId, { kind: 'limits.changed', by: 'operator', atMs: clock.now(), data });

  const claimOffer = (offerId: string, partnerId: string) =>
    changeRow(table, offerKey(offerId), {
      UpdateExpression: 'SET offerId = :offerId, partnerId = :partnerId',
      ConditionExpression: 'attribute_not_exists(pk) OR partnerId = :partnerId',
      ExpressionAttributeValues: { ':offerId': offerId, ':partnerId': partnerId },
    });

  /** Sets an attribute in every key; `seen` must still be its value, unless it is left out. */
  const setInAll = async (
    partnerId: string,
    { name, value, seen }: { name: 'limits' | 'disabled'; value: unknown; seen?: unknown },
  ): Promise<boolean> => {
    const changed = await changePartner<'changed meanwhile'>(table, partnerId, (keys) =>
      seen === undefined || isDeepStrictEqual(keys[0][name], seen)
        ? { writes: [...setInKeys(table, keys, name, value), limitsChanged(partnerId, { [name]: value })] }
        : 'changed meanwhile',
    );
    return changed === 'changed';
  };

  return {
    key: (login: string) => readKey(table, login),

    /** The first key of this partner, which has what is true of the partner. */
    find: async (partnerId: string): Promise<StoredKey | undefined> =>
      (await readKeys(table, partnerId))?.[0],

    /** Every partner's first key, by partnerId, and the rows that are damaged or missing: one must not hide all partners. */
    list: async (): Promise<{ firstKeys: StoredKey[]; damaged: RowKey[] }> => {
      const damaged: RowKey[] = [];
      const parsed = <Parsed>(schema: z.ZodMiniType<Parsed>, row: Record<string, unknown>): Parsed[] => {
        const { success, data } = schema.safeParse(row);
        if (!success) damaged.push({ pk: String(row['pk']), sk: String(row['sk']) });
        return success ? [data] : [];
      };
      const entries: PartnerEntry[] = [];
      const partners = queryRows(table, inPartition(partnersPartition));
      for await (const row of partners) entries.push(...parsed(PartnerEntry, row));
      const logins = entries.flatMap(({ logins: [first] }) => first ?? []);
      const rows = await readAll(table, logins.map(loginKey), { consistent: true });
      const keys = new Map(rows.map((row) => [row['pk'], parsed(StoredKey, row)]));
      damaged.push(...logins.map(loginKey).filter(({ pk }) => !keys.has(pk)));
      return { firstKeys: logins.flatMap((login) => keys.get(loginKey(login).pk) ?? []), damaged };
    },

    /** The offers with these ids, in any order. */
    offers: async (offerIds: readonly string[]): Promise<Offer[]> =>
      z.array(Offer).parse(await readAll(table, offerIds.map(offerKey), { consistent: true })),

    /** Adds the first key, entry and offers, all or nothing. At most 98 offers: a transaction writes 100 rows. */
    create: async (created: StoredKey): Promise<Creation> => {
      const { partnerId, login, offerIds } = created;
      const entry: PartnerEntry = { partnerId, logins: [login], version: 0 };
      const written = await transactional(table, [
        putNew(table, { ...partnerKey(partnerId), ...entry }),
        putNew(table, { ...loginKey(login), ...created }),
        ...offerIds.map((offerId) => claimOffer(offerId, partnerId)),
      ]);
      if (written.applied) return { outcome: 'created' };
      const offerId = offerIds[written.at - 2];
      if (offerId !== undefined) return { outcome: 'taken', what: 'offer', offerId };
      return { outcome: 'taken', what: written.at === 0 ? 'partner' : 'login' };
    },

    addOffer: async (partnerId: string, offerId: string): Promise<'added' | 'there already' | 'foreign'> => {
      const changed = await changePartner<'there already'>(table, partnerId, (keys) => {
        const [{ offerIds }] = keys;
        if (offerIds.includes(offerId)) return 'there already';
        const inKeys = setInKeys(table, keys, 'offerIds', [...offerIds, offerId]);
        return {
          writes: [
            claimOffer(offerId, partnerId),
            ...inKeys,
            limitsChanged(partnerId, { offerAdded: offerId }),
          ],
        };
      });
      if (changed === 'changed') return 'added';
      return changed === 'there already' ? changed : 'foreign';
    },

    /** Removes the offer's owner. Its service points and check-ins stay. */
    removeOffer: async (partnerId: string, offerId: string): Promise<boolean> => {
      const changed = await changePartner(table, partnerId, (keys) => {
        const left = keys[0].offerIds.filter((owned) => owned !== offerId);
        const offer = {
          TableName: table.name,
          Key: offerKey(offerId),
          ConditionExpression: 'attribute_not_exists(pk) OR partnerId = :partnerId',
          ExpressionAttributeValues: { ':partnerId': partnerId },
        };
        const event = limitsChanged(partnerId, { offerRemoved: offerId });
        return { writes: [{ Delete: offer }, ...setInKeys(table, keys, 'offerIds', left), event] };
      });
      return changed === 'changed';
    },

    setLimits: ({ partnerId, limits: seen }: StoredKey, limits: StoredKey['limits']): Promise<boolean> =>
      setInAll(partnerId, { name: 'limits', value: limits, seen }),

    /**
     * Sets the lifetime of the offer's check-ins; `undefined` is the service's default. False when the offer is
     * not the partner's.
     */
    setCheckInLifetime: async (
      offerId: string,
      partnerId: string,
      lifetimeMs: number | undefined,
    ): Promise<boolean> => {
      const change = updateIfStill({ partnerId }, { set: { checkInLifetimeMs: lifetimeMs ?? null } });
      const event = limitsChanged(partnerId, { offerId, checkInLifetimeMs: lifetimeMs });
      return (await transactional(table, [changeRow(table, offerKey(offerId), change), event])).applied;
    },

    /** Disables or enables the partner, by all its keys; false for an unknown one. */
    setDisabled: (partnerId: string, disabled: boolean): Promise<boolean> =>
      setInAll(partnerId, { name: 'disabled', value: disabled }),
  };
}
