import * as z from 'zod/mini';
import { hours } from '../platform/runtime/clock.ts';
import { named } from '../platform/validation/documented.ts';
import { numberOrDigits } from '../platform/validation/number-or-digits.ts';
import { isBlank, text } from '../platform/validation/text.ts';

export const defaultLifetimeMs = hours(2);

export const CardNumber = text(1, 128, {
  description: "Loyalty card number in the partner's CRM",
  example: '9643907500000012',
});

/** A card number as the wallet platform may send it. (Open check-ins may have a blank one, from before.) */
export const SentCardNumber = CardNumber.check(z.refine((value) => !isBlank(value), 'required, it is blank'));

export const CheckInNumber = z.int().check(z.positive()).register(z.globalRegistry, {
  description: 'Identifier of the check-in, counts up per loyalty program',
  example: 17,
});

/** Requests may give the number as a JSON number or as a string of digits. */
export const CheckInNumberInput = numberOrDigits(
  { max: Number.MAX_SAFE_INTEGER, zeros: 'send the checkinNumber of the list, not a secretCode' },
  { description: 'Identifier of the check-in: a number, or the same as a string of digits', example: 17 },
);

export const SecretCode = z
  .string()
  .check(z.regex(/^\d{4}$/))
  .register(z.globalRegistry, {
    description: '4 digits; the customer names it at the cash desk',
    example: '0022',
  });

/** A check-in as the cash desk sees it (2.3). */
export const CheckIn = named(
  'CheckIn',
  { secretCode: SecretCode, checkinNumber: CheckInNumber, cardNumber: CardNumber },
  'An active check-in.',
);
export type CheckIn = z.infer<typeof CheckIn>;

/** A check-in with its end, in milliseconds UTC: at that millisecond it is no longer active. */
export type ActiveCheckIn = CheckIn & { activeUntil: number };
