import * as z from 'zod/mini';

/** A whole number in a query string, within bounds, or its default when it is absent. */
export function queryNumber({ min, max, standard }: { min: number; max: number; standard: number }) {
  return z
    ._default(
      z.pipe(
        z.string().check(
          z.refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
            message: `must be a whole number from ${min} to ${max}`,
          }),
        ),
        z.transform(Number),
      ),
      standard,
    )
    .register(z.globalRegistry, {
      type: 'integer',
      minimum: min,
      maximum: max,
      description: `${min} to ${max}, default ${standard}`,
    });
}
