const whole = new Intl.NumberFormat('en-GB');

/** `12345` -> `12,345`, with a noun `1 recipient` or `12,345 recipients`. Every number of things on a page is written by it. */
export function count(value: number, noun?: string): string {
  const number = whole.format(value);
  return noun === undefined ? number : `${number} ${noun}${value === 1 ? '' : 's'}`;
}
