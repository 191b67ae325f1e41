/** Keeps values for pages, in memory only, until the session ends. */
export class Memory {
  readonly #values = new Map<string, unknown>();
  readonly #listeners = new Set<() => void>();

  get(name: string): unknown {
    return this.#values.get(name);
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
