/** Follows a queue that is served in order: how old what is served now is, from how much came and went. */
export function ageMeter() {
  const arrived: number[] = [];
  let came = 0;
  let went = 0;
  let at = 0;
  return {
    /** One call a tick; the answer is in ticks. */
    tick: (arriving: number, served: number): number => {
      came += arriving;
      went += served;
      arrived.push(came);
      while (at < arrived.length - 1 && (arrived[at] ?? 0) <= went + 1e-6) at += 1;
      return went >= came - 1 ? 0 : arrived.length - 1 - at;
    },
  };
}
