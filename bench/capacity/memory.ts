import { assumedMs, memoryMbPerVcpu } from './durations.ts';
import { prices } from './prices.ts';
import { table } from './report.ts';

/**
 * CPU in ms, measured by `npm run bench -- cold warm` (docs/performance.md): of a warm request, and of loading and
 * the first invocation together. `waits` are table calls that wait for each other.
 *
 * The first invocation is of the sample event, which is smaller: its bulk send has two recipients and its list two
 * places, and those of check-ins are answered 404 after their reads, so the writes are missing from it.
 */
const measured = {
  ListCheckIns: { warm: 1.2, cold: 82, waits: 1 },
  RegisterCheckIn: { warm: 2, cold: 79, waits: 3 },
  OpenCheckIn: { warm: 3.3, cold: 84, waits: 3 },
  SendMessage: { warm: 1.7, cold: 94, waits: 2 },
  'SendBulk, 1,000 recipients': { warm: 15, cold: 94, waits: 4 },
  'StartSync, 500 places': { warm: 6.2, cold: 100, waits: 4 },
  UpdatePromotion: { warm: 1.8, cold: 96, waits: 2 },
} as const;

export interface Cpu {
  readonly warm: number;
  readonly cold: number;
  readonly waits: number;
}

export const memorySizesMb = [256, 512, 1_024, memoryMbPerVcpu, 3_008] as const;

/** Our functions have no use for a second vCPU. */
function share(memoryMb: number): number {
  return Math.min(1, memoryMb / memoryMbPerVcpu);
}

export function warmMs({ warm, waits }: Cpu, memoryMb: number): number {
  return waits * assumedMs.tableCall + warm / share(memoryMb);
}

export function coldMs({ cold, waits }: Cpu, memoryMb: number): number {
  return waits * assumedMs.tableCall + cold / share(memoryMb);
}

/** Of a million warm invocations; Lambda bills by the millisecond. */
export function dollarsAMillion(cpu: Cpu, memoryMb: number): number {
  return (
    prices.millionInvocations.dollars +
    Math.ceil(warmMs(cpu, memoryMb)) * 1_000 * (memoryMb / 1_024) * prices.gbSecond.dollars
  );
}

/** What each memory size would mean: warm ms, cold ms, dollars a million. */
export function memoryReport(): string {
  return table(
    ['warm ms / cold ms / $ a million', ...memorySizesMb.map((size) => `${size.toLocaleString('en')} MB`)],
    Object.entries(measured).map(([name, cpu]) => [
      name,
      ...memorySizesMb.map((size) =>
        [
          warmMs(cpu, size).toFixed(0),
          coldMs(cpu, size).toFixed(0),
          dollarsAMillion(cpu, size).toFixed(2),
        ].join(' / '),
      ),
    ]),
  );
}
