import type { OptionSet, Options } from '../cli/options.ts';
import { defaultUnitsPerSecond } from './meter.ts';

export const rateOptions: OptionSet = {
  'units-per-second': {
    value: 'N',
    text: `How many read units, and how many write units, to take a second (default ${defaultUnitsPerSecond})`,
  },
};

export function rateOf(options: Options): number {
  return options.wholeNumber('units-per-second', 1, 1_000_000) ?? defaultUnitsPerSecond;
}
