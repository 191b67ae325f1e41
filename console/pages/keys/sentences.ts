/** Says how long the gateway may still serve what was ended: 300 s are `5 minutes`. */
export function endedSentence(what: string, effectiveWithinSeconds: number): string {
  const minutes = effectiveWithinSeconds / 60;
  const time = Number.isInteger(minutes)
    ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
    : `${effectiveWithinSeconds} seconds`;
  return `${what} The gateway may still let it in for up to ${time}.`;
}
