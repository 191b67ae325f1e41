import { once } from 'node:events';
import type { Server } from 'node:net';

/** The port it listens on, on 127.0.0.1 (0: any free one); `undefined` when the port is taken. */
export async function listen(server: Server, port: number): Promise<number | undefined> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return undefined;
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Ends its connections too. */
export async function close(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  server.close();
  server.closeAllConnections?.();
  await once(server, 'close');
}
