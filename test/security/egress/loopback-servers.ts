import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

type Talk = (socket: Socket) => void;

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as { port: number }).port;
}

/** Starts a server on loopback until the end of the test. `talk` decides what it does with a connection. */
export function tcpServer(talk: Talk): Promise<number> {
  return listening(createServer(talk));
}

export function tlsServer(options: TlsOptions, talk: Talk): Promise<number> {
  return listening(
    createTlsServer(options, (socket) => {
      socket.on('error', () => {});
      talk(socket);
    }).on('tlsClientError', () => {}),
  );
}

/** Sends the response once the request has begun to arrive. */
export function says(response: string): Talk {
  return (socket) => socket.once('data', () => socket.write(response));
}

/** Sends the response and closes the connection. */
export function saysAndEnds(response: string): Talk {
  return (socket) => socket.once('data', () => socket.end(response));
}

/** Sends `repeated` again and again, as fast as the client reads it. */
export function floods(beginning: string, repeated: string): Talk {
  return (socket) => {
    const chunk = repeated.repeat(Math.ceil(65_536 / repeated.length));
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.once('data', () => {
      socket.write(beginning);
      socket.on('drain', more);
      more();
    });
  };
}

/** Sends `repeated` again and again, once every 5 ms. */
export function drips(beginning: string, repeated: string): Talk {
  return (socket) => {
    socket.once('data', () => {
      socket.write(beginning);
      const timer = setInterval(() => socket.write(repeated), 5);
      socket.once('close', () => clearInterval(timer));
    });
  };
}
