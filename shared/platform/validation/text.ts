import * as z from 'zod/mini';

/**
 * Text of `min` to `max` characters, counted in Unicode code points as a person would (an emoji is one). `meta` is for
 * the OpenAPI document. What is counted may be another form of the value.
 */
export function text(
  min: number,
  max: number,
  meta: z.core.GlobalMeta = {},
  counted = (value: string) => value,
) {
  return z
    .string()
    .check(
      z.superRefine((given, context) => {
        const value = counted(given);
        if (value === '' && min > 0) context.addIssue('must not be empty');
        else if (!hasCodePoints(value, min, max))
          context.addIssue(
            `must have ${min > 0 ? `${min} to` : 'at most'} ${max} characters, it has ${codePointsIn(value)} (counted in Unicode code points)`,
          );
      }),
    )
    .register(z.globalRegistry, { ...(min > 0 ? { minLength: min } : {}), maxLength: max, ...meta });
}

/** Text of which a person would see nothing is refused like an empty one. */
export function visibleText(max: number) {
  return text(1, max).check(z.refine((value) => !isBlank(value), 'must not be blank'));
}

/** Text of nothing but spaces. */
export function isBlank(value: string): boolean {
  return value !== '' && value.trim() === '';
}

/** The number of code units gives bounds, so most texts need no counting. */
function hasCodePoints(value: string, min: number, max: number): boolean {
  if (value.length > max * 2 || value.length < min) return false;
  if (value.length <= max && value.length >= min * 2) return true;
  const count = codePointsIn(value);
  return count >= min && count <= max;
}

function codePointsIn(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
