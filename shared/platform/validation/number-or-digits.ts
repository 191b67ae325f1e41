import * as z from 'zod/mini';

/**
 * A whole number from 1 on, as a JSON number or as a string of its digits. `zeros` is the advice for a number with
 * leading zeros, which our numbers never have; `meta` is for the OpenAPI document.
 */
export function numberOrDigits({ max, zeros }: { max: number; zeros: string }, meta: z.core.GlobalMeta) {
  const inRange = `must be a whole number from 1 to ${max}`;
  return z
    .union(
      [
        z.number().register(z.globalRegistry, { type: 'integer', minimum: 1 }),
        z.pipe(z.string().check(z.regex(/^[1-9]\d{0,15}$/)), z.transform(Number)),
      ],
      {
        error: ({ input }) => {
          if (input === undefined) return 'required';
          const text = typeof input === 'string' ? input : '';
          if (/^0\d+$/.test(text)) return `has leading zeros: ${zeros}`;
          const isNumber = typeof input === 'number' || /^\d+$/.test(text);
          return isNumber ? inRange : 'must be a whole number, as a number or a string of digits';
        },
      },
    )
    .check(z.refine((number) => Number.isSafeInteger(number) && number > 0 && number <= max, inRange))
    .register(z.globalRegistry, meta);
}
