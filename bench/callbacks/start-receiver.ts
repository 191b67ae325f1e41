import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Receiver {
  readonly url: string;
  /** How many signed callbacks have come. */
  signed(): Promise<number>;
  stop(): Promise<void>;
}

/** In a process of its own, so that its work is not counted as the function's. */
export const startReceiver = async (): Promise<Receiver> => {
  const child = fork(join(import.meta.dirname, 'receiver.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => undefined);
  const told = await Promise.race([once(child, 'message'), ended]);
  if (!told) throw new Error('the receiver of callbacks did not start');
  const [{ port }] = told as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/callback`,
    signed: async () => {
      const answered = once(child, 'message') as Promise<[{ signed: number }]>;
      child.send('count');
      return (await answered)[0].signed;
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
};
