/** Our contracts nest a few levels deep; code that serializes recurses once a level. */
export const maxNesting = 32;

/** Whether the objects and arrays of a JSON value are nested at most `levels` deep. A raw JSON value is a number. */
export function isNestedWithin(value: unknown, levels = maxNesting): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0
      ? Object.values(value).every((member) => isNestedWithin(member, levels - 1))
      : JSON.isRawJSON(value))
  );
}
