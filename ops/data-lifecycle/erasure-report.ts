import { counted } from '../cli/counted.ts';
import type { Terminal } from '../cli/terminal.ts';
import { type CapacityMeter, unitsLine } from './capacity-meter.ts';
import { type Tally, tallyTable } from './tally.ts';

/** What both erasures say at their end: how many rows of which kind, the units used, and what they cannot reach. */
export function erasureReport(
  rows: Tally,
  meter: CapacityMeter,
  text: Record<'headline' | 'notReached', string>,
) {
  return [
    text.headline,
    ...(rows.total() > 0 ? [tallyTable({ rows })] : []),
    unitsLine(meter),
    text.notReached,
  ].join('\n\n');
}

export function scanProgress({ progress }: Terminal): (seen: number, found: number) => void {
  return (seen, found) => progress?.(`${counted(seen, 'row')} read, ${found.toLocaleString('en-US')} found`);
}
