import * as z from 'zod/mini';
import { fail } from '../platform/http/failures.ts';
import { described, named } from '../platform/validation/documented.ts';
import { Moment } from '../platform/validation/moment.ts';
import { writeDate } from './promotion-date.ts';

export const maxPromoId = 9_999_999_999;

/** The most promotions of a partner. Every list reads a row of 150 to 1,100 bytes of each: 37 to 269 read units, however long its page. */
export const maxPromotions = 1_000;

/** A list of more promotions than this reads over 30 units, which one request may take of a partition. */
export const manyPromotions = 120;
/** Such a list counts as so many requests more: the most promotions take 269 units. */
export const moreForMany = 8;

export const PromoId = z.int().check(z.minimum(1), z.maximum(maxPromoId)).register(z.globalRegistry, {
  description: 'Identifier of the promotion, counts up per partner',
  example: 17,
});

export function unknownPromotion(promoId: number) {
  return fail('PROMO_NOT_FOUND', `promoId: ${promoId} is not a promotion of this partner`);
}

export const PromotionStatus = z.enum(['planned', 'active', 'completed']).register(z.globalRegistry, {
  id: 'PromotionStatus',
  description: 'By the dates, at the moment of the response',
});
export type PromotionStatus = z.infer<typeof PromotionStatus>;

/** The fields of a promotion that lists need. It is active from `startsAt` to `endsAt` (excluded), if any. */
export const ListedPromotion = z.object({
  promoId: z.number(),
  name: z.string(),
  startsAt: Moment,
  endsAt: z.optional(Moment),
  /** The request that made it, if it had an Idempotency-Key. */
  madeBy: z.optional(z.string()),
});
export type ListedPromotion = z.infer<typeof ListedPromotion>;
export type Period = Pick<ListedPromotion, 'startsAt' | 'endsAt'>;

export const Promotion = z.extend(ListedPromotion, {
  imageWide: z.optional(z.string()),
  imageSquare: z.optional(z.string()),
  /** HTML that went through `cleanHtml`. */
  description: z.string(),
  discount: z.string(),
  source: z.literal('api'),
});
export type Promotion = z.infer<typeof Promotion>;

/** The fields that an update changes; `null` removes an optional field. */
export type PromotionChanges = {
  [Field in 'name' | 'startsAt' | 'description' | 'discount']?: Promotion[Field] | undefined;
} & {
  [Field in 'endsAt' | 'imageWide' | 'imageSquare']?: Promotion[Field] | null | undefined;
};

export function statusOf({ startsAt, endsAt }: Period, nowMs: number): PromotionStatus {
  if (nowMs < startsAt.ms) return 'planned';
  return endsAt === undefined || nowMs < endsAt.ms ? 'active' : 'completed';
}

/** The members that decide the order of lists. */
export const PromotionPosition = z.pick(ListedPromotion, { startsAt: true, promoId: true });
type PromotionPosition = z.infer<typeof PromotionPosition>;

/** Newest start first; of those with the same start, the one created last. */
export function newestFirst(a: PromotionPosition, b: PromotionPosition): number {
  return b.startsAt.ms - a.startsAt.ms || b.promoId - a.promoId;
}

const ResponseDate = z.string().register(z.globalRegistry, {
  description: 'yyyy-MM-ddTHH:mm:ss and the offset the partner gave: hours alone (+05:30 stays +05:30)',
  example: '2026-06-01T00:00:00+03',
});

/** A promotion in the list (2.7). */
export const PromotionItem = z
  .object({
    promoId: PromoId,
    name: z.string(),
    startDate: ResponseDate,
    endDate: described(z.nullable(ResponseDate), 'null: the promotion has no end'),
    status: PromotionStatus,
  })
  .register(z.globalRegistry, { id: 'PromotionItem', description: 'A promotion in the list.' });
export type PromotionItem = z.infer<typeof PromotionItem>;

/** The response of creating and updating. */
export const PromotionReference = named('PromotionReference', { promoId: PromoId, status: PromotionStatus });

/** A promotion with all fields (2.7). */
export const PromotionDetails = z
  .extend(PromotionItem, {
    images: named('PromotionImages', {
      imageWide: z.optional(z.string()),
      imageSquare: z.optional(z.string()),
    }),
    description: described(z.string(), 'HTML without scripts, styles and handlers; may be empty'),
    discount: described(z.string(), 'May be empty'),
    source: z.literal('api'),
  })
  .register(z.globalRegistry, { id: 'PromotionDetails', description: 'A promotion.' });
export type PromotionDetails = z.infer<typeof PromotionDetails>;

export function toItem(promotion: ListedPromotion, nowMs: number): PromotionItem {
  return {
    promoId: promotion.promoId,
    name: promotion.name,
    startDate: writeDate(promotion.startsAt),
    endDate: promotion.endsAt ? writeDate(promotion.endsAt) : null,
    status: statusOf(promotion, nowMs),
  };
}

export function toDetails(promotion: Promotion, nowMs: number): PromotionDetails {
  const { imageWide, imageSquare, description, discount, source } = promotion;
  return {
    ...toItem(promotion, nowMs),
    images: { imageWide, imageSquare },
    description,
    discount,
    source,
  };
}
