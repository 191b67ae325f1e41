const storedAs = 'drafts';
const draftPrefix = 'draft';

export type StoredDrafts = { readonly partnerId: string; readonly values: [string, unknown][] };

/** What pages remember while a session lasts: in memory, and gone with the session. */
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

  /** Hands drafts over a reload that the user chose. They lie in the tab's storage until the page is there again. */
  storeDrafts(partnerId: string): void {
    const values = [...this.#values].filter(([name]) => name.startsWith(draftPrefix));
    sessionStorage.setItem(storedAs, JSON.stringify({ partnerId, values } satisfies StoredDrafts));
  }
}

/** The drafts that a reload left, which are no longer stored then. */
export function takeDrafts(): StoredDrafts | undefined {
  const stored = sessionStorage.getItem(storedAs);
  sessionStorage.removeItem(storedAs);
  return stored === null ? undefined : JSON.parse(stored);
}
