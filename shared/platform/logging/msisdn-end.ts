/** The last four digits of a number. No log line has more of it. */
export function msisdnEnd(msisdn: number): string {
  return String(msisdn).slice(-4);
}
