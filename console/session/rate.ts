export type Rate = {
  limit: number;
  remaining: number;
  /** The rate window ends at this time, and the full rate is available again. */
  resetsAtMs: number;
};

/** Reads `ratelimit-policy: "recipients";q=1000;w=60` and `ratelimit: "recipients";r=990;t=42`. */
export function rateIn(headers: Headers, nowMs = Date.now()): Rate | undefined {
  const limit = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1];
  const [, remaining, seconds] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (limit === undefined || remaining === undefined || seconds === undefined) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), resetsAtMs: nowMs + Number(seconds) * 1_000 };
}

/** The rate of the current minute. A request for a later time was counted in the minute of that time. */
export function currentRate(headers: Headers, nowMs = Date.now()): Rate | undefined {
  const rate = rateIn(headers, nowMs);
  return rate && rate.resetsAtMs - nowMs <= 60_000 ? rate : undefined;
}
