/**
 * Two hours have no room for the age at which failures disable an endpoint, so it is an hour in short runs. Long runs are
 * for all ten attempts, which take 76 hours or more.
 */
export function isLong(hours: number): boolean {
  return hours > 2;
}
