/** `StartSync` -> `start-sync`. */
export function kebabCase(id: string): string {
  return id.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase();
}
