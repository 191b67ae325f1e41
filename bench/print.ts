import { budgetText, type Figure, isMissed, ratioOf } from './figure.ts';

/** A Markdown table that reads well in a terminal too. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, n) => Math.max(3, cell.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, n) => (cells[n] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** At least three significant digits: 1234 -> 1,234; 12.34 -> 12.3; 0.1234 -> 0.123. */
function amount(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

/** Two decimals, or two significant digits below 0.1. */
function ratioText(figure: Figure): string {
  const ratio = ratioOf(figure);
  if (ratio === undefined) return '';
  return ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2);
}

function formatCells(figure: Figure): string[] {
  return [
    figure.what,
    amount(figure.median),
    figure.unit,
    figure.baseline ? `${amount(figure.baseline.median)} ${figure.baseline.what}` : '',
    ratioText(figure),
    budgetText(figure),
    isMissed(figure) ? 'MISSED' : '',
  ];
}

/** A Markdown table for docs/performance.md. */
export function formatTable(figures: readonly Figure[]): string {
  const head = ['', 'median', 'unit', 'baseline', 'ratio', 'budget', ''];
  return markdownTable(head, figures.map(formatCells));
}

export function listMisses(section: string, figures: readonly Figure[]): string[] {
  return figures.filter(isMissed).map((figure) => {
    const ratio = figure.baseline ? `, ratio ${ratioText(figure) || 'unknown'}` : '';
    const found = `${amount(figure.median)} ${figure.unit}${ratio}`;
    return `${section}: ${figure.what}: ${found}; the budget is ${budgetText(figure)}.`;
  });
}
