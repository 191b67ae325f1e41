import * as z from 'zod';
import { text } from '../validation/text.ts';
import { changesSomething } from './change-expression.ts';
import { cleanHtml } from './clean-html.ts';
import { PromoId, type Promotion, type PromotionChanges } from './promotion.ts';
import { type Moment, PromotionDate } from './promotion-date.ts';

const ImageUrl = text(1, 2_048)
  .refine((url) => /^https?:\/\/[^\s<>"\\]+$/i.test(url) && URL.canParse(url), 'must be an http or https URL')
  .nullable()
  .meta({ description: 'An http or https URL; null: none', example: 'https://bars.example/wide.png' });

const fields = {
  name: text(1, 255),
  startDate: PromotionDate,
  endDate: PromotionDate.nullable().optional().meta({
    description: 'As startDate, and after it; null: the promotion has no end',
    example: '2026-09-01T00:00:00+03',
  }),
  images: z
    .object({ imageWide: ImageUrl.optional(), imageSquare: ImageUrl.optional() })
    .optional()
    .meta({ description: 'In an update an image that is not named stays as it is' }),
  description: text(0, 10_000)
    .transform(cleanHtml)
    .optional()
    .meta({ description: 'HTML; scripts, styles, handlers and unknown elements are taken out' }),
  discount: text(0, 255).optional().meta({ example: '15 %' }),
};

type Dates = { startDate?: Moment | undefined; endDate?: Moment | null | undefined };

const inOrder = ({ startDate, endDate }: Dates): boolean =>
  !startDate || !endDate || endDate.ms > startDate.ms;
const orderIssue = { path: ['endDate'], error: 'must be after startDate' };

/** The body of a new promotion: everything about it but its number. */
export const NewPromotion = z
  .object(fields)
  .refine(inOrder, orderIssue)
  .transform(
    ({ name, startDate, endDate, images, description, discount }): Omit<Promotion, 'promoId'> => ({
      name,
      startsAt: startDate,
      endsAt: endDate ?? undefined,
      imageWide: images?.imageWide ?? undefined,
      imageSquare: images?.imageSquare ?? undefined,
      description: description ?? '',
      discount: discount ?? '',
      source: 'api',
    }),
  );

/** The body of an update: whose, and only what changes. */
export const SentChanges = z
  .object({
    ...fields,
    promoId: PromoId,
    name: fields.name.optional(),
    startDate: fields.startDate.optional(),
  })
  .refine(inOrder, orderIssue)
  .transform(({ promoId, startDate, endDate, images, ...same }) => ({
    promoId,
    changes: { ...same, ...images, startsAt: startDate, endsAt: endDate } satisfies PromotionChanges,
  }))
  .refine(({ changes }) => changesSomething(changes), 'name at least one field to change besides promoId');
