import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey, offerKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Account, Offer } from './account.ts';

/** Partners' accounts and the offers they own. */
export const partnerStore = (table: Table) => ({
  account: async (login: string): Promise<Account | undefined> => {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: accountKey(login) }),
    );
    return Item && Account.parse(Item);
  },

  offer: async (offerId: string): Promise<Offer | undefined> => {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: offerKey(offerId) }),
    );
    return Item && Offer.parse(Item);
  },

  saveAccount: async (account: Account): Promise<void> => {
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...accountKey(account.login), ...account } }),
    );
  },

  saveOffer: async (offer: Offer): Promise<void> => {
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...offerKey(offer.offerId), ...offer } }),
    );
  },
});

export type PartnerStore = ReturnType<typeof partnerStore>;
