const whole = new Intl.NumberFormat('en-GB');

/** `12345` -> `12,345`. Every number of things on a page is written by it. */
export function count(value: number): string {
  return whole.format(value);
}
