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
  const groupsBy = <Key>(some: readonly Point[], keyOf: (point: Point) => Key) =>
    [...Map.groupBy(some, keyOf).values()].filter(({ length }) => length >= atLeast);
  const common = new Set(groupsBy(points, numberOf).flat());
  // The groups are in the order of the points.
  return groupsBy(
    points.filter((point) => common.has(point)),
    textOf,
  );
}

/** The first point of each group, then the others. */
export function firstOfEachFirst<Point>(groups: readonly (readonly Point[])[]): Point[] {
  return [...groups.flatMap((group) => group.slice(0, 1)), ...groups.flatMap((group) => group.slice(1))];
}
