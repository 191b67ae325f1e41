const storedAs = 'drafts';
const draftPrefix = 'draft';

export type StoredDrafts = { readonly partnerId: string; readonly values: [string, unknown][] };

/** Keeps values for pages, in memory only, until the session ends. */
export class Memory {
  readonly #values: Map<string, unknown>;
  readonly #listeners = new Set<() => void>();

  constructor(values: StoredDrafts['values'] = []) {
    this.#values = new Map(values);
  }

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

  /** Stores drafts in the tab, so that they survive a reload that the user has chosen. */
  storeDrafts(partnerId: string): void {
    const values = [...this.#values].filter(([name]) => name.startsWith(draftPrefix));
    sessionStorage.setItem(storedAs, JSON.stringify({ partnerId, values } satisfies StoredDrafts));
  }
}

/** Returns the drafts that were stored before a reload, and removes them from the tab. */
export function takeDrafts(): StoredDrafts | undefined {
  const stored = sessionStorage.getItem(storedAs);
  sessionStorage.removeItem(storedAs);
  return stored === null ? undefined : JSON.parse(stored);
}
