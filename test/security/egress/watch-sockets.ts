import { createHook } from 'node:async_hooks';
import { onTestFinished } from 'vitest';

export type Opened = { connects: number; nameQueries: number };

/** The meaning of Node's native requests. Every connection and lookup makes one, whichever module starts it. */
const kinds: Record<string, keyof Opened> = {
  TCPCONNECTWRAP: 'connects',
  PIPECONNECTWRAP: 'connects',
  UDPSENDWRAP: 'connects',
  QUERYWRAP: 'nameQueries',
  GETADDRINFOREQWRAP: 'nameQueries',
};

/** Counts connecting sockets and name lookups, from now to the end of the test. */
export function watchSockets(): Opened {
  const opened: Opened = { connects: 0, nameQueries: 0 };
  const hook = createHook({
    init: (_id, type) => {
      const kind = kinds[type];
      if (kind) opened[kind] += 1;
    },
  });
  hook.enable();
  onTestFinished(() => {
    hook.disable();
  });
  return opened;
}
