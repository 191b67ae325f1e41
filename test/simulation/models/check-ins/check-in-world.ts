import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { checkInCounterKey } from '../../../../shared/table/keys.ts';
import { checkInRig } from '../../../integration/check-ins/check-in-rig.ts';
import { bakery, bars, type HttpResponse } from '../../../support/http.ts';

/** What the rig knows: two points of one offer, one of another whose check-ins live a minute. */
export const shops = [
  { offerId: 'bars-of-moscow', placeId: 'p1', partner: bars, livesMs: 7_200_000 },
  { offerId: 'bars-of-moscow', placeId: 'p2', partner: bars, livesMs: 7_200_000 },
  { offerId: 'bakery-club', placeId: 'p1', partner: bakery, livesMs: 60_000 },
] as const;
export type Shop = (typeof shops)[number];

export type CheckIn = {
  number: number;
  code: string;
  card: string;
  shop: Shop;
  untilMs: number;
  used: boolean;
};

/** The model: every check-in there was. An active one is neither used nor over. */
export type CheckInModel = { all: CheckIn[]; nowMs: number };

export function activeAt({ all, nowMs }: CheckInModel, shop: Shop): CheckIn[] {
  return all
    .filter((one) => one.shop === shop && !one.used && one.untilMs > nowMs)
    .sort((a, b) => a.number - b.number);
}

export async function newCheckInWorld() {
  const rig = await checkInRig();
  const forShop = ({ offerId, partner }: Shop) => ({ partner, headers: { offerid: offerId } });
  return {
    clock: rig.clock,
    open: (shop: Shop, card: string): Promise<HttpResponse> => rig.open(card, shop.placeId, shop.offerId),
    openUnknownPlace: (shop: Shop, card: string): Promise<HttpResponse> =>
      rig.open(card, 'nowhere', shop.offerId),
    list: (shop: Shop): Promise<HttpResponse> => rig.list(shop.placeId, forShop(shop)),
    register: (shop: Shop, number: unknown): Promise<HttpResponse> => rig.register(number, forShop(shop)),
    /** As if `count` others had checked in elsewhere: codes come round after 10,000 numbers. */
    passNumbers: (shop: Shop, count: number) =>
      rig.table.client.send(
        new UpdateCommand({
          TableName: rig.table.name,
          Key: checkInCounterKey(shop.offerId),
          UpdateExpression: 'ADD lastNumber :count SET shuffleKey = if_not_exists(shuffleKey, :key)',
          ExpressionAttributeValues: { ':count': count, ':key': 'k'.repeat(32) },
        }),
      ),
  };
}

export type CheckInWorld = Awaited<ReturnType<typeof newCheckInWorld>>;
