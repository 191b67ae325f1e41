import type { Input, ResponseTo } from '../../api/operations.ts';
import { changeOf } from '../../parts/change.ts';
import { dateProblems } from '../../parts/date-time.tsx';
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
  return {
    ...(isBackwards && { end: 'Must be later than the start' }),
    ...required({ name, start }),
    ...dateProblems({ start, end }),
  };
}

export function promotionChange(
  fields: PromotionFields,
  promotion: Promotion,
): Input<'POST /promo/v1/update'>['body'] {
  const change = changeOf(newPromotion(fieldsOf(promotion)), newPromotion(fields));
  return { promoId: promotion.promoId, ...change };
}
