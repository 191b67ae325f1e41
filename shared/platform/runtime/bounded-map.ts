const most = 1_000;

/** What an instance remembers, of at most 1,000 keys: when one more comes it forgets all, which costs a read of each. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    if (this.size >= most && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
