import type { Input, ResponseTo } from '../../api/operations.ts';
import { required } from '../../parts/required.ts';
import { inOffset, joinDate, splitDate } from './dates.ts';

export type PromotionFields = ReturnType<typeof fieldsOf>;
export type Promotion = ResponseTo<'GET /promo/v1/details'>;

const none = { name: '', startDate: '', endDate: null, images: {}, description: '', discount: '' };

export function fieldsOf(promotion: Promotion | undefined) {
  const { name, startDate, endDate, images, description, discount } = promotion ?? none;
  const { local: start, offset } = splitDate(startDate);
  const { imageWide = '', imageSquare = '' }: Promotion['images'] = images;
  const end = endDate ? inOffset(endDate, offset) : '';
  return { name, offset: offset || '+03', start, end, discount, imageWide, imageSquare, description };
}

export function newPromotion(fields: PromotionFields): NonNullable<Input<'POST /promo/v1/create'>['body']> {
  const { name, offset, start, end, discount, imageWide, imageSquare, description } = fields;
  const images = { imageWide: imageWide.trim() || null, imageSquare: imageSquare.trim() || null };
  return {
    name: name.trim(),
    startDate: joinDate(start, offset),
    endDate: end === '' ? null : joinDate(end, offset),
    images,
    description,
    discount,
  };
}

/** Checks the form before anything is sent, and returns a sentence for each field that is wrong. */
export function problemsOf({ name, start, end }: PromotionFields) {
  const isBackwards = end !== '' && end <= start;
  return { ...(isBackwards && { end: 'Must be later than the start' }), ...required({ name, start }) };
}

/** Only the fields that differ from the stored promotion, so that two people can change different fields at once. */
export function promotionChange(
  fields: PromotionFields,
  promotion: Promotion,
): Input<'POST /promo/v1/update'>['body'] {
  const before = Object.entries(newPromotion(fieldsOf(promotion)));
  const after = new Map<string, unknown>(Object.entries(newPromotion(fields)));
  const changed = before.flatMap(([name, value]) => {
    const now = after.get(name);
    return JSON.stringify(now) === JSON.stringify(value) ? [] : [[name, now] as const];
  });
  return { promoId: promotion.promoId, ...Object.fromEntries(changed) };
}
