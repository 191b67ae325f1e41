import { registerHooks } from 'node:module';
import { plantedFaults } from '../planted-faults.ts';

const root = new URL('../../../', import.meta.url);

/** Changes one line of the service when it is loaded, as a careless commit would. */
export function plantFault(name: string): void {
  const fault = plantedFaults.find((one) => one.name === name);
  if (!fault) throw new Error(`no planted fault is called ${name}`);
  const changed = new URL(fault.file, root).href;
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url.split('?')[0] !== changed) return loaded;
      const source = String(loaded.source);
      if (source.split(fault.was).length !== 2) throw new Error(`${name}: ${fault.file} has changed`);
      return { ...loaded, source: source.replace(fault.was, () => fault.becomes) };
    },
  });
}
