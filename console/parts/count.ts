export function count(value: number): string {
  return value.toLocaleString('en-GB');
}
