import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on 127.0.0.1 and returns the port, or `undefined` if it is taken. Port 0 means any free one. */
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

/** Closes the server and its connections. */
export async function close(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  server.close();
  server.closeAllConnections?.();
  await once(server, 'close');
}
