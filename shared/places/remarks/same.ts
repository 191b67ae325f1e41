/** The groups of at least `atLeast` points that have the same text. */
export function groupsWithSame<Point>(
  points: readonly Point[],
  atLeast: number,
  textOf: (point: Point) => string,
): Point[][] {
  return [...Map.groupBy(points, textOf).values()].filter(({ length }) => length >= atLeast);
}

/** The first point of each group, then the others. */
export function firstOfEachFirst<Point>(groups: readonly (readonly Point[])[]): Point[] {
  return [...groups.flatMap((group) => group.slice(0, 1)), ...groups.flatMap((group) => group.slice(1))];
}
