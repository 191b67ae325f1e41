import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Loaded {
  readonly perSecond: number;
  /** One for each request. */
  readonly latenciesMs: readonly number[];
}

/**
 * A closed loop by autocannon: each keep-alive connection sends its next request when it has its answer, until the
 * time is up. Anything but 200 ends the measurement.
 */
export async function load(target: Target, connections: number, seconds: number): Promise<Loaded> {
  const latenciesMs: number[] = [];
  const refused = new Map<number, number>();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const cannon = autocannon({ ...target, connections, duration: seconds, timeout: 30 }, (error, found) =>
      error ? reject(error) : resolve(found),
    );
    cannon.on('response', (_client, statusCode, _bytes, responseMs) => {
      // In whole milliseconds, as autocannon sums them up, the bare server's would be 0.
      latenciesMs.push(responseMs);
      if (statusCode !== 200) refused.set(statusCode, (refused.get(statusCode) ?? 0) + 1);
    });
  });
  if (refused.size > 0 || result.errors > 0) {
    const statuses = [...refused].map(([status, count]) => `${count} times ${status}`);
    throw new Error(
      `${target.method} ${target.url}: ${[...statuses, `${result.errors} errors`].join(', ')} of ${latenciesMs.length} requests`,
    );
  }
  return { perSecond: latenciesMs.length / result.duration, latenciesMs };
}
