import { budgetText, isMissed, ratioOf } from './budget.ts';
import { type Growth, growthOf, isSteep, linearExponent, wordFor } from './growth.ts';
import type { Figure } from './section.ts';

export interface Measured {
  readonly section: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

/** Three figures that count, and the small ones are not drowned: 1234 -> 1,234; 12.34 -> 12.3; 0.1234 -> 0.123. */
export function amount(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

/** Two decimals, and more where they would be zeros. */
function ratioText(ratio: number): string {
  return ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2);
}

const columns = ['', 'median', '±', 'unit', 'baseline', 'ratio', 'budget', ''];

function cellsOf(figure: Figure): string[] {
  const ratio = ratioOf(figure);
  return [
    figure.what,
    amount(figure.median),
    figure.spread === undefined ? '' : amount(figure.spread),
    figure.unit,
    figure.baseline ? `${amount(figure.baseline.median)} ${figure.baseline.what}` : '',
    ratio === undefined ? '' : ratioText(ratio),
    budgetText(figure),
    isMissed(figure) ? 'MISSED' : '',
  ];
}

const growthColumns = ['growth', 'sizes', 'values', 'unit', 'fixed', 'each further', 'exponent', ''];

function listed(values: readonly number[]): string {
  return values.map(amount).join(' / ');
}

function growthCellsOf(growth: Growth): string[] {
  return [
    growth.of,
    listed(growth.sizes),
    listed(growth.values),
    growth.unit,
    amount(growth.fixed),
    amount(growth.each),
    growth.exponent.toFixed(2),
    wordFor(growth),
  ];
}

/** A Markdown table: it reads well in a terminal and can be pasted into docs/performance.md as it is. */
function markdown(head: readonly string[], body: readonly string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...body].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

export function tableOf(figures: readonly Figure[]): string {
  return markdown(columns, figures.map(cellsOf));
}

export function growthTableOf(growths: readonly Growth[]): string {
  return markdown(growthColumns, growths.map(growthCellsOf));
}

export function textOf({ section, seconds, figures }: Measured): string {
  const growths = growthOf(figures);
  return [
    `### ${section} (${Math.round(seconds)} s)`,
    tableOf(figures),
    ...(growths.length > 0 ? [growthTableOf(growths)] : []),
  ].join('\n\n');
}

/** One sentence for each budget that was missed, and for what grows faster than its size. */
export function missesOf(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ section, figures }) => [
    ...figures.filter(isMissed).map((figure) => {
      const ratio = ratioOf(figure);
      const found = `${amount(figure.median)} ${figure.unit}${figure.baseline ? `, ratio ${ratio === undefined ? 'unknown' : ratioText(ratio)}` : ''}`;
      return `${section}: ${figure.what}: ${found}; the budget is ${budgetText(figure)}.`;
    }),
    ...growthOf(figures)
      .filter(isSteep)
      .map(
        ({ of, exponent }) =>
          `${section}: ${of} grows with the power ${exponent.toFixed(2)} of its size; the budget is ${linearExponent}.`,
      ),
  ]);
}
