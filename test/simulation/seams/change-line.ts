import { registerHooks } from 'node:module';

const root = new URL('../../../', import.meta.url);

/** Changes a line of the service when its module is loaded. The module must have the line exactly once. */
export function changeLine({ file, was, becomes }: Record<'file' | 'was' | 'becomes', string>): void {
  const changed = new URL(file, root).href;
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url.split('?')[0] !== changed) return loaded;
      const source = String(loaded.source);
      if (source.split(was).length !== 2) throw new Error(`${file} does not have this once: ${was}`);
      return { ...loaded, source: source.replace(was, () => becomes) };
    },
  });
}
