import * as z from 'zod';

/**
 * Text of `min` to `max` characters, counted in Unicode code points as a person would (an emoji is one), and
 * well-formed: a lone surrogate cannot be stored as UTF-8, two such strings would become the same one.
 */
export const text = (min: number, max: number) =>
  z
    .string()
    .superRefine((value, context) => {
      if (value === '' && min > 0) context.addIssue('required, it is empty');
      else if (!value.isWellFormed())
        context.addIssue('must be valid Unicode (it holds half of a surrogate pair)');
      else if (!hasCodePoints(value, min, max)) context.addIssue(`must have ${min} to ${max} characters`);
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });

/** Code units bound code points from both sides, so most texts are judged without counting. */
const hasCodePoints = (value: string, min: number, max: number): boolean => {
  if (value.length > max * 2 || value.length < min) return false;
  if (value.length <= max && value.length >= min * 2) return true;
  const count = [...value].length;
  return count >= min && count <= max;
};
