import type { Size } from './command.ts';
import { shortRates, usualRates } from './fault-rates.ts';
import type { FaultRunOptions } from './run-under-faults.ts';

type RunSize = Pick<FaultRunOptions, 'flowSeconds' | 'drainSeconds' | 'maxPlaces' | 'recipients' | 'rates'>;

/** How much of everything; the table engine of one machine writes some hundred rows a second. */
export const sizes: Record<Size, RunSize> = {
  short: { flowSeconds: 10, drainSeconds: 60, maxPlaces: 400, recipients: 300, rates: shortRates },
  usual: { flowSeconds: 72, drainSeconds: 120, maxPlaces: 800, recipients: 1_500, rates: usualRates },
  long: { flowSeconds: 180, drainSeconds: 240, maxPlaces: 3_000, recipients: 5_500, rates: usualRates },
};

export const crashSize = { size: 10_000, drainSeconds: 240 };
