import { type EngineCall, startEngineProxies } from '../../local/engines/engine-proxy.ts';
import type { EngineEndpoints } from '../../local/functions/function-environment.ts';

/** One call of an engine, as it went over the wire. */
export type RecordedCall = Pick<EngineCall, 'service' | 'operation'> & {
  input: unknown;
};

/** Calls that ran at the same time. */
export type Wave = readonly RecordedCall[];

/** Starts proxies in front of both engines that record every call. */
export async function startRecorder(engines: EngineEndpoints) {
  let waves: RecordedCall[][] = [];
  let running = 0;
  const proxies = await startEngineProxies(engines, async ({ service, operation, body, forward }) => {
    const call = { service, operation, input: JSON.parse(body.toString()) };
    const current = running > 0 ? waves.at(-1) : undefined;
    if (current) current.push(call);
    else waves.push([call]);
    running++;
    try {
      return await forward(body);
    } finally {
      running--;
    }
  });
  return {
    ...proxies,
    /** Returns the calls since the last time, in the order in which they began. */
    taken: (): Wave[] => {
      const taken = waves;
      waves = [];
      return taken;
    },
  };
}
