import { timeIsOver } from './time-left.ts';

/**
 * Middleware of the SDK that does work for nobody here: the first copies every request and response for a log (a fifth
 * of the CPU of a batch of writes), the second describes the SDK and its features in headers.
 */
const unused = ['loggerMiddleware', 'getUserAgentMiddleware'];

type Client = { middlewareStack: { remove(name: string): boolean } };

/** An SDK client without middleware that nothing here needs. */
export function leanClient<Given extends Client>(client: Given): Given {
  for (const name of unused) client.middlewareStack.remove(name);
  return client;
}

type Send = (command: unknown, options: { abortSignal: AbortSignal | undefined }) => unknown;

/** An SDK client whose calls end with the time of the function that makes them. */
export function endingInTime<Given extends { send: unknown }>(client: Given): Given {
  const send = (client.send as Send).bind(client);
  return Object.assign(client, {
    send: (command: unknown) => send(command, { abortSignal: timeIsOver() }),
  });
}
