/** What pages remember while a session lasts. It is never stored, and gone with the session. */
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
