type Same<Point> = {
  /** The same number for points with the same text, quick to make. */
  numberOf: (point: Point) => number;
  /** The text that the points of a group have in common. */
  textOf: (point: Point) => string;
};

/**
 * The groups of at least `atLeast` points that have the same text. Texts take long to make, so only points whose number
 * enough others have are compared by their text.
 */
export function groupsWithSame<Point>(
  points: readonly Point[],
  atLeast: number,
  { numberOf, textOf }: Same<Point>,
): Point[][] {
  const numbers = new Float64Array(points.map(numberOf));
  const common = commonNumbers(numbers, atLeast);
  if (common.size === 0) return [];
  const compared = points.filter((_, position) => common.has(numbers[position] ?? 0));
  return [...Map.groupBy(compared, textOf).values()].filter(({ length }) => length >= atLeast);
}

/** The numbers that are there at least `atLeast` times. Sorting takes less time than a map that counts. */
function commonNumbers(numbers: Float64Array, atLeast: number): Set<number> {
  const sorted = numbers.toSorted();
  const common = new Set<number>();
  for (let at = atLeast - 1; at < sorted.length; at++) {
    const number = sorted[at] ?? 0;
    if (number === sorted[at - atLeast + 1]) common.add(number);
  }
  return common;
}

/** The first point of each group, then the others. */
export function firstOfEachFirst<Point>(groups: readonly (readonly Point[])[]): Point[] {
  return [...groups.flatMap((group) => group.slice(0, 1)), ...groups.flatMap((group) => group.slice(1))];
}
