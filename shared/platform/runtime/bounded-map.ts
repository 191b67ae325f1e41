const most = 1_000;

/** A map for what an instance remembers, with at most 1,000 keys: when one more comes it forgets all others. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    if (this.size >= most && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
