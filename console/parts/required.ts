/** Says "Required" of each of these fields that is empty. */
export function required(fields: Readonly<Record<string, string>>): Record<string, string> {
  const empty = Object.entries(fields).filter(([, value]) => value.trim() === '');
  return Object.fromEntries(empty.map(([name]) => [name, 'Required']));
}
