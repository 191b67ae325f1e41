/** `1 row`, `2,500 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;
}
