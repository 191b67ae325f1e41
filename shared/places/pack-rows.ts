/** A row takes 400 kB; this many bytes before gzip fit even if they do not compress. */
const bytesPerRow = 350_000;

/** Packs JSON texts, in order, into JSON arrays that each fit into a row. */
export function packRows(texts: readonly string[]): string[] {
  const rows: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const size = Buffer.byteLength(text);
    if (bytes + size > bytesPerRow) {
      rows.push([]);
      bytes = 0;
    }
    rows.at(-1)?.push(text);
    bytes += size + 1;
  }
  return rows.map((row) => `[${row.join(',')}]`);
}
