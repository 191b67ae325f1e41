/**
 * The partner that a failing line names if nobody else is concerned. A failure of several is nobody's in particular: it rolls
 * a deployment back, which that of one partner does not.
 */
export function partnerOfFailure(owners: Iterable<string | undefined>): string | undefined {
  const [partnerId, ...others] = new Set(owners);
  return others.length > 0 ? undefined : partnerId;
}
