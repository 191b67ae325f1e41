import type { Figure } from './section.ts';

export interface Growth {
  /** The series: `sync, new, finished`. */
  readonly of: string;
  readonly unit: Figure['unit'];
  readonly sizes: readonly number[];
  readonly values: readonly number[];
  /** `value = fixed + each * size`, fitted so that the errors relative to the values are small. */
  readonly fixed: number;
  readonly each: number;
  /** Between the two greatest sizes the value grows like the size to the power of this. */
  readonly exponent: number;
}

/** Linear, and room for what the machine does beside. n log n from 1,000 to 10,000 is 1.12. */
export const linearExponent = 1.1;

interface Point {
  readonly size: number;
  readonly value: number;
}

/** Least squares of the relative errors. */
function lineThrough(points: readonly Point[]): { fixed: number; each: number } {
  const sum = (of: (point: Point) => number): number =>
    points.reduce((total, point) => total + of(point) / point.value ** 2, 0);
  const n = sum(() => 1);
  const x = sum(({ size }) => size);
  const y = sum(({ value }) => value);
  const each =
    (n * sum(({ size, value }) => size * value) - x * y) / (n * sum(({ size }) => size * size) - x * x);
  return { fixed: (y - each * x) / n, each };
}

function exponentOf(points: readonly Point[]): number {
  const [before, last] = points.slice(-2);
  if (!before || !last) throw new Error('growth needs two sizes');
  return Math.log(last.value / before.value) / Math.log(last.size / before.size);
}

/** How the figures of each series grow with their size. A series of fewer than three sizes, or with a 0 in it, says nothing. */
export function growthOf(figures: readonly Figure[]): Growth[] {
  const series = Map.groupBy(
    figures.flatMap((figure) => (figure.series ? [{ ...figure, series: figure.series }] : [])),
    (figure) => figure.series.of,
  );
  return [...series].flatMap(([of, members]) => {
    const points = members
      .map(({ series: { size }, median }) => ({ size, value: median }))
      .sort((a, b) => a.size - b.size);
    const [first] = members;
    if (!first || points.length < 3 || points.some(({ value }) => value <= 0)) return [];
    const sizes = points.map(({ size }) => size);
    const values = points.map(({ value }) => value);
    return [{ of, unit: first.unit, sizes, values, ...lineThrough(points), exponent: exponentOf(points) }];
  });
}

/** What takes more for each element the more there are. A rate is the other way round, and has no budget. */
export function isSteep({ exponent, unit }: Growth): boolean {
  return unit !== 'per s' && exponent > linearExponent;
}

/** The growth in a word, from the largest sizes on. */
export function wordFor(growth: Growth): string {
  const { exponent } = growth;
  if (isSteep(growth)) return 'MORE THAN LINEAR';
  if (exponent > 0.9) return 'linear';
  if (exponent > 0.1) return 'less than linear';
  return exponent < -0.1 ? 'falls' : 'constant';
}
