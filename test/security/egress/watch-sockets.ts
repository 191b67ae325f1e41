import { createHook } from 'node:async_hooks';
import { onTestFinished } from 'vitest';

export type Opened = { connects: number; nameQueries: number };

/** What each kind of native request of Node means. All of them pass here, whichever module makes them. */
const kinds: Record<string, keyof Opened> = {
  TCPCONNECTWRAP: 'connects',
  PIPECONNECTWRAP: 'connects',
  UDPSENDWRAP: 'connects',
  QUERYWRAP: 'nameQueries',
  GETADDRINFOREQWRAP: 'nameQueries',
};

/** Counts the sockets that connect and the names looked up, from here to the end of the test. */
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
