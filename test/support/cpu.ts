/** The CPU time that this thread has taken since, in ms. */
export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the CPU time that this thread took for the work, in ms, and the result of the work. */
export async function cpuOf<Result>(work: () => Result | Promise<Result>): Promise<[number, Result]> {
  const before = process.threadCpuUsage();
  const result = await work();
  return [cpuMsSince(before), result];
}
