/** Says "Required" of each of these fields that is empty. */
export function required(fields: Readonly<Record<string, string>>): Record<string, string> {
  const empty = Object.entries(fields).filter(([, value]) => value.trim() === '');
  return Object.fromEntries(empty.map(([name]) => [name, 'Required']));
}

/** The members of `after` that differ from `before`, so that two people can change different ones at once. */
export function changeOf<Body extends object>(before: object, after: Body): Partial<Body> {
  const known = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known.get(name)),
  );
  return Object.fromEntries(changed) as Partial<Body>;
}
