export type Invocation = ReturnType<typeof run>;

/** Assumed: the table answers in single-digit milliseconds, a queue in a few more, a partner in a tenth of a second. */
export const assumedMs = { tableCall: 5, queueCall: 10, partner: 100, slowestPartnerOfTen: 170 } as const;

/** Published: a function with this much memory has one vCPU. */
const memoryMbPerVcpu = 1_769;

/**
 * An invocation: its memory, the calls of the table and of a queue that wait for each other, the CPU time on a whole vCPU,
 * and the time that it waits for partners. docs/capacity.md says what of it was measured and what assumed.
 */
export function run(
  name: string,
  { memoryMb }: { memoryMb: number },
  [tableCalls, queueCalls = 0]: readonly [number, number?],
  { cpuMs = 3, partnersMs = 0 } = {},
) {
  const callsMs = tableCalls * assumedMs.tableCall + queueCalls * assumedMs.queueCall;
  /** `ms`: how long the invocation lasts. */
  return { name, memoryMb, ms: callsMs + partnersMs + cpuMs / Math.min(1, memoryMb / memoryMbPerVcpu) };
}
