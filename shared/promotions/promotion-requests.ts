import * as z from 'zod/mini';
import { described, named } from '../platform/validation/documented.ts';
import type { Moment } from '../platform/validation/moment.ts';
import { numberOrDigits } from '../platform/validation/number-or-digits.ts';
import { text, visibleText } from '../platform/validation/text.ts';
import { cleanHtml } from './clean-html.ts';
import { maxPromoId, type Promotion, type PromotionChanges } from './promotion.ts';
import { PromotionDate } from './promotion-date.ts';

const ImageUrl = z
  .nullable(
    text(1, 2_048).check(
      z.refine(
        (url) => /^https?:\/\/[^\s<>"\\]+$/i.test(url) && URL.canParse(url),
        'must be an http or https URL',
      ),
    ),
  )
  .register(z.globalRegistry, {
    description: 'An http or https URL; null: none',
    example: 'https://bars.example/wide.png',
  });

/** What was stored has escapes that its author did not write, and can be sent again. */
function withoutEscapes(html: string): string {
  return html.replace(/&(?:amp|lt|gt);/g, '.');
}

const fields = {
  name: visibleText(255),
  startDate: PromotionDate,
  endDate: z.optional(z.nullable(PromotionDate)).register(z.globalRegistry, {
    description: 'As startDate, and after it; null: the promotion has no end',
    example: '2026-09-01T00:00:00+03',
  }),
  images: described(
    z.optional(
      named('PromotionImageChanges', { imageWide: z.optional(ImageUrl), imageSquare: z.optional(ImageUrl) }),
    ),
    'In an update an image that is not named stays as it is',
  ),
  description: described(
    z.optional(z.pipe(text(0, 10_000, { maxLength: undefined }, withoutEscapes), z.transform(cleanHtml))),
    'HTML of at most 10,000 characters, &amp;, &lt; and &gt; being one each; scripts, styles, handlers and unknown elements are taken out',
  ),
  discount: z.optional(text(0, 255)).register(z.globalRegistry, { example: '15 %' }),
};

type Dates = { startDate?: Moment | undefined; endDate?: Moment | null | undefined };

function inOrder({ startDate, endDate }: Dates): boolean {
  return !startDate || !endDate || endDate.ms > startDate.ms;
}

const orderIssue = { path: ['endDate'], error: 'must be after startDate' };

/** The contract shows `status` for creating and updating. */
export const withoutEffect = { status: 'follows from the dates, set startDate and endDate instead' };

const NewPromotion = z
  .object(fields)
  .check(z.refine(inOrder, orderIssue))
  .register(z.globalRegistry, { id: 'CreatePromotionRequest' });

/** The body of a new promotion: all fields except its number. */
export const CreatePromotionRequest = z.pipe(
  NewPromotion,
  z.transform(
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
  ),
);

const Changes = z
  .object({
    ...fields,
    promoId: numberOrDigits(
      { max: maxPromoId, zeros: 'send the promoId as the list has it' },
      { type: 'integer', minimum: 1, maximum: maxPromoId, anyOf: undefined, example: 17 },
    ),
    name: z.optional(fields.name),
    startDate: z.optional(fields.startDate),
  })
  .check(z.refine(inOrder, orderIssue))
  .register(z.globalRegistry, { id: 'UpdatePromotionRequest' });

/** The body of an update: the number of the promotion, the fields that change, and their members in the request. */
export const UpdatePromotionRequest = z
  .pipe(
    Changes,
    z.transform(({ promoId, images = {}, ...others }) => {
      const { startDate: startsAt, endDate: endsAt, ...same } = others;
      const changes: PromotionChanges = { ...same, ...images, startsAt, endsAt };
      const given = [...namesIn(others), ...(namesIn(images).length > 0 ? ['images'] : [])];
      return { promoId, changes, members: given };
    }),
  )
  .check(
    z.refine(
      ({ members }) => members.length > 0,
      'send at least one member to change besides promoId; null counts as absent',
    ),
  );

function namesIn(members: object): string[] {
  return Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
