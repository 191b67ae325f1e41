const whole = new Intl.NumberFormat('en-GB');
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

/** `12345` -> `12,345`. Every number of things on a page is written by it. */
export function count(value: number): string {
  return whole.format(value);
}

/** `12345` -> `12.3k`, where there is no room for more and the whole number is near. */
export function shortCount(value: number): string {
  return short.format(value);
}
