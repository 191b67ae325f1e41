import { availableParallelism, cpus, loadavg } from 'node:os';

/** What the figures were measured on. Load above the number of cores: others worked at the same time. */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
    date: new Date().toISOString(),
    load: loadavg().map((value) => Math.round(value * 10) / 10),
  };
}

export type Machine = ReturnType<typeof machine>;

export function machineText({ cpu, cores, node, date, load }: Machine): string {
  return `${date}, Node ${node}, ${cores} cores of ${cpu}, load ${load.join(' ')}`;
}
