const most = 1_000;

/** A map for what an instance remembers, with at most 1,000 keys: when one more comes it forgets the one that came first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    if (this.size >= most && !this.has(key)) this.delete(this.keys().next().value as Key);
    return super.set(key, value);
  }
}
