import { timeIsOver } from './time-left.ts';

/**
 * SDK middleware that we remove. The first copies every request and response for a log that we do not use, at a fifth
 * of the CPU of a batch of writes. The second describes the SDK and its features in headers.
 */
const unused = ['loggerMiddleware', 'getUserAgentMiddleware'];

type Client = { middlewareStack: { remove(name: string): boolean } };

/** Removes the unused middleware from an SDK client. */
export function trimMiddleware<Given extends Client>(client: Given): Given {
  for (const name of unused) client.middlewareStack.remove(name);
  return client;
}

type Send = (command: unknown, options: { abortSignal: AbortSignal | undefined }) => unknown;

/** Makes an SDK client abort its calls when the time of the calling function is over. */
export function abortingInTime<Given extends { send: unknown }>(client: Given): Given {
  const send = (client.send as Send).bind(client);
  return Object.assign(client, {
    send: (command: unknown) => send(command, { abortSignal: timeIsOver() }),
  });
}
