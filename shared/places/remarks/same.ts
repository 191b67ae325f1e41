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
  const byNumber = Map.groupBy(points, numberOf);
  const isCommon = (point: Point) => (byNumber.get(numberOf(point)) ?? []).length >= atLeast;
  const byText = Map.groupBy(points.filter(isCommon), textOf);
  return [...byText.values()].filter(({ length }) => length >= atLeast);
}

/** The first point of each group, then the others. */
export function firstOfEachFirst<Point>(groups: readonly (readonly Point[])[]): Point[] {
  return [...groups.flatMap((group) => group.slice(0, 1)), ...groups.flatMap((group) => group.slice(1))];
}
