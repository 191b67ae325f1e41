export type Position = { lat: number; lng: number };

const earthRadiusM = 6_371_000;
const radians = Math.PI / 180;
const metresPerDegree = earthRadiusM * radians;

/** Metres along the surface of the earth. */
export function distanceM(a: Position, b: Position): number {
  const lat = Math.sin(((a.lat - b.lat) * radians) / 2);
  const lng = Math.sin(((a.lng - b.lng) * radians) / 2);
  const square = lat * lat + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * lng * lng;
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Two positions in one cell are at most 71 m from each other, so they are near without being compared. */
const cellM = 50;
const nearM = 75;
/** What is near lies at most this many cells away. */
const reach = Math.ceil(nearM / cellM);

/** The circumference of the earth is 800,600 cells. */
const cellsInRow = 1_000_000;

/**
 * For each position, whether another one is within 75 m. The time is in proportion to their number, wherever they lie: a
 * position that is not alone in its cell needs no comparison, and no cell has many lone ones around it.
 */
export function haveNeighbours(positions: readonly Position[]): boolean[] {
  const cellOf = (position: Position) => {
    const row = rowOf(position);
    return cellKey(row, columnIn(row, position));
  };
  const cells = Map.groupBy(positions, cellOf);
  return positions.map((position) => {
    if ((cells.get(cellOf(position)) ?? []).length > 1) return true;
    const row = rowOf(position);
    for (let r = row - reach; r <= row + reach; r++) {
      const column = columnIn(r, position);
      for (let c = column - reach; c <= column + reach; c++) {
        const others = cells.get(cellKey(r, c)) ?? [];
        if (others.some((other) => other !== position && distanceM(other, position) <= nearM)) return true;
      }
    }
    return false;
  });
}

function cellKey(row: number, column: number): number {
  return row * cellsInRow + column;
}

function rowOf({ lat }: Position): number {
  return Math.floor((lat * metresPerDegree) / cellM);
}

/** The columns of a row are as wide as its cells are high. */
function columnIn(row: number, { lng }: Position): number {
  const lat = ((row + 0.5) * cellM) / metresPerDegree;
  return Math.floor((lng * metresPerDegree * Math.cos(lat * radians)) / cellM);
}
