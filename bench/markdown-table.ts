/** A Markdown table that reads well in a terminal too: the first column to the left, `aligned` says where the others go. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  aligned: 'left' | 'right' = 'left',
): string {
  const widths = head.map((cell, n) => Math.max(3, cell.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const toRight = (n: number) => n > 0 && aligned === 'right';
  const line = (cells: readonly string[]) => {
    const padded = widths.map((width, n) =>
      toRight(n) ? (cells[n] ?? '').padStart(width) : (cells[n] ?? '').padEnd(width),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, n) => (toRight(n) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
