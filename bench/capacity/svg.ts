/** A line of a chart: one value a minute. */
export interface Line {
  readonly name: string;
  readonly color: string;
  readonly values: readonly number[];
}

export interface Panel {
  readonly title: string;
  /** What the vertical axis counts, with its unit. */
  readonly unit: string;
  readonly lines: readonly Line[];
  /** A level that must not be passed. */
  readonly level?: { readonly value: number; readonly name: string };
}

export interface Chart {
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly minutes: number;
  /** Shaded: from the start to this minute. */
  readonly shadedMinutes: number;
  readonly shadedName: string;
}

const size = { width: 860, left: 70, right: 24, top: 46, panel: 190, gap: 52, legendLine: 20 } as const;
const ink = '#24292f';
const faint = '#d8dee4';

/** Two decimals at most, so that the file does not depend on the last bits of a sum. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function text(x: number, y: number, words: string, more = ''): string {
  return `<text x="${number(x)}" y="${number(y)}" ${more}>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}

/** 1, 2 or 5 times a power of ten: about five steps up to the top. */
export function stepOf(top: number): number {
  const rough = top / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
}

function topOf({ lines, level }: Panel): { top: number; step: number } {
  const highest = Math.max(1e-9, level?.value ?? 0, ...lines.flatMap(({ values }) => values));
  const step = stepOf(highest);
  return { top: Math.ceil(highest / step) * step, step };
}

function panelAt(chart: Chart, panel: Panel, y0: number): string[] {
  const { top, step } = topOf(panel);
  const plotWidth = size.width - size.left - size.right;
  const x = (minute: number) => size.left + (plotWidth * minute) / chart.minutes;
  const y = (value: number) => y0 + size.panel * (1 - value / top);
  const bottom = y0 + size.panel;
  const parts = [
    `<rect x="${size.left}" y="${y0}" width="${number(x(chart.shadedMinutes) - size.left)}" height="${size.panel}" fill="#f1f5f9"/>`,
    text(size.left, y0 - 10, panel.title, 'font-weight="600"'),
    text(
      18,
      y0 + size.panel / 2,
      panel.unit,
      `text-anchor="middle" transform="rotate(-90 18 ${y0 + size.panel / 2})"`,
    ),
  ];
  for (let value = 0; value <= top + step / 2; value += step) {
    parts.push(
      `<line x1="${size.left}" x2="${size.width - size.right}" y1="${number(y(value))}" y2="${number(y(value))}" stroke="${faint}"/>`,
      text(size.left - 8, y(value) + 4, number(value), 'text-anchor="end"'),
    );
  }
  for (let minute = 0; minute <= chart.minutes; minute += 30) {
    parts.push(
      `<line x1="${number(x(minute))}" x2="${number(x(minute))}" y1="${bottom}" y2="${bottom + 5}" stroke="${ink}"/>`,
      text(x(minute), bottom + 19, number(minute), 'text-anchor="middle"'),
    );
  }
  for (const { color, values } of panel.lines) {
    const points = values.map((value, n) => `${number(x(n + 1))},${number(y(value))}`).join(' ');
    parts.push(`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="2"/>`);
  }
  if (panel.level) {
    const at = y(panel.level.value);
    parts.push(
      `<line x1="${size.left}" x2="${size.width - size.right}" y1="${number(at)}" y2="${number(at)}" stroke="${ink}" stroke-dasharray="5 4"/>`,
      text(size.width - size.right, at - 5, panel.level.name, 'text-anchor="end"'),
    );
  }
  return parts;
}

/** Panels one below the other, with one legend for all: lines of the same name have the same color. */
export function svgOf(chart: Chart): string {
  const legend = [
    ...new Map(chart.panels.flatMap(({ lines }) => lines).map((line) => [line.name, line.color])),
  ];
  const legendTop = size.top + chart.panels.length * (size.panel + size.gap) + 6;
  const height = legendTop + (legend.length + 1) * size.legendLine + 6;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${ink}" role="img" aria-label="${chart.title}">`,
    `<rect width="${size.width}" height="${height}" fill="#ffffff"/>`,
    text(size.left, 18, chart.title, 'font-size="15" font-weight="600"'),
    ...chart.panels.flatMap((panel, n) => panelAt(chart, panel, size.top + n * (size.panel + size.gap))),
    text(
      (size.width + size.left) / 2,
      legendTop - 12,
      'minutes since the first push',
      'text-anchor="middle"',
    ),
  ];
  for (const [n, [name, color]] of legend.entries()) {
    const y = legendTop + (n + 1) * size.legendLine - 6;
    parts.push(
      `<line x1="${size.left}" x2="${size.left + 26}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="3"/>`,
      text(size.left + 34, y + 4, name),
    );
  }
  const y = legendTop + (legend.length + 1) * size.legendLine - 6;
  parts.push(
    `<rect x="${size.left}" y="${y - 7}" width="26" height="14" fill="#f1f5f9" stroke="${faint}"/>`,
    text(size.left + 34, y + 4, chart.shadedName),
    '</svg>',
  );
  return `${parts.join('\n')}\n`;
}
