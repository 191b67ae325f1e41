/**
 * Long runs have room for all ten attempts, whose waits are 60 to 91 hours. In others the age at which failures disable an
 * endpoint is an hour, because they have no room for five days.
 */
export function isLong(hours: number): boolean {
  return hours >= 100;
}
