import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

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

/** Requests under way at any moment. */
export const connections = 8;

/** Sends one request and reads the whole answer. */
export const send = async (agent: Agent, { url, method, headers, body }: Target) => {
  const outgoing = request(url, { agent, method, headers });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await text(answer) };
};

/**
 * A closed loop: each of eight keep-alive connections sends its next request when it has its answer, until the time
 * is up. Anything but 200 ends the measurement.
 */
export const load = async (agent: Agent, target: Target, forMs: number): Promise<Loaded> => {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const lane = async (): Promise<void> => {
    while (performance.now() - startedAt < forMs) {
      const sentAt = performance.now();
      const { status, body } = await send(agent, target);
      if (status !== 200) throw new Error(`${target.method} ${target.url} was answered ${status}: ${body}`);
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { perSecond: latenciesMs.length / ((performance.now() - startedAt) / 1_000), latenciesMs };
};
