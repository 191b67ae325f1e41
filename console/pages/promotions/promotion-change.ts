import type { Input, ResponseTo } from '../../api/operations.ts';
import { dateProblems } from '../../parts/date-time.tsx';
import { changeOf, required } from '../../parts/fields.ts';
import { inOffset, joinDate, splitDate } from './dates.ts';

export type PromotionFields = ReturnType<typeof fieldsOf>;
export type Promotion = ResponseTo<'GET /promo/v1/details'>;

const none = { name: '', startDate: '', endDate: null, images: {}, description: '', discount: '' };

export function fieldsOf(promotion: Promotion | undefined) {
  const { name, startDate, endDate, images, description, discount } = promotion ?? none;
  const { local, offset } = splitDate(startDate);
  const { imageWide = '', imageSquare = '' }: Promotion['images'] = images;
  return {
    name,
    offset: offset || '+03',
    startDate: local,
    endDate: endDate ? inOffset(endDate, offset) : '',
    discount,
    images: { imageWide, imageSquare },
    description,
  };
}

export function newPromotion(fields: PromotionFields): NonNullable<Input<'POST /promo/v1/create'>['body']> {
  const { name, offset, startDate, endDate, images, ...texts } = fields;
  return {
    ...texts,
    name: name.trim(),
    startDate: joinDate(startDate, offset),
    endDate: endDate === '' ? null : joinDate(endDate, offset),
    images: { imageWide: images.imageWide.trim() || null, imageSquare: images.imageSquare.trim() || null },
  };
}

/** Checks the form before anything is sent, and returns a sentence for each field that is wrong. */
export function problemsOf({ name, startDate, endDate }: PromotionFields) {
  return { ...required({ name, startDate }), ...dateProblems({ startDate, endDate }) };
}

export function promotionChange(before: PromotionFields, after: PromotionFields) {
  return changeOf(newPromotion(before), newPromotion(after));
}
