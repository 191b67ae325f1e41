/** No contract of ours nests deeper than a handful; code that serialises recurses once a level. */
export const maxNesting = 32;

/** Whether a JSON value has objects and arrays within each other at most `levels` deep. */
export function isNestedWithin(value: unknown, levels = maxNesting): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0 && Object.values(value).every((member) => isNestedWithin(member, levels - 1)))
  );
}
