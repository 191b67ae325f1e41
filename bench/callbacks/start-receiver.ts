import { startServer } from '../server-process.ts';

export interface Receiver {
  readonly url: string;
  /** How many signed callbacks have come. */
  signed(): Promise<number>;
  stop(): Promise<void>;
}

/** In a process of its own, so that its work is not counted as the function's. */
export async function startReceiver(): Promise<Receiver> {
  const { told, ask, stop } = await startServer<{ port: number }>(new URL('./receiver.ts', import.meta.url));
  return {
    url: `http://127.0.0.1:${told.port}/callback`,
    signed: async () => ((await ask()) as { signed: number }).signed,
    stop,
  };
}
