import { startEngineMeter } from '../engines/engine-meter.ts';
import type { EngineProxy } from '../engines/engine-proxy.ts';

export interface Units {
  readonly read: number;
  readonly write: number;
  /** Calls of the table, with those that consumed nothing or were refused. */
  readonly calls: number;
}

export interface UnitCounter extends EngineProxy {
  counted(): Units;
}

/** Stands in front of a DynamoDB engine and adds up what its calls consumed. */
export async function startUnitCounter(engine: string): Promise<UnitCounter> {
  let units: Units = { read: 0, write: 0, calls: 0 };
  const meter = await startEngineMeter(engine, ({ read, write }) => {
    units = { read: units.read + read, write: units.write + write, calls: units.calls + 1 };
  });
  return { ...meter, counted: () => units };
}
