/** A time of the API as people read it, exact on hover. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  const text = date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {text}
    </time>
  );
}
