import { timeoutSignal } from './time-left.ts';

/**
 * SDK middleware that we remove. The first copies every request and response for a log that we do not use, at a fifth
 * of the CPU of a batch of writes. The second describes the SDK and its features in headers.
 */
const unused = ['loggerMiddleware', 'getUserAgentMiddleware'];

/**
 * An instance that AWS froze for minutes may find its connections dead, and a call would spend all its tries on them. So
 * they close after 20 s without a call, at the latest when the instance is thawed.
 */
const kept = { maxSockets: 100, timeout: 20_000 } as const;

/**
 * When a call is given up and made again. Even the shortest function, of 4 s, has time for another try, and a healthy
 * table or queue responds in milliseconds. AWS advises 1 s or more for transactions
 * (https://docs.aws.amazon.com/botocore/latest/reference/services/dynamodb/client/exceptions/TransactionInProgressException.html).
 */
export const callLimits = {
  httpsAgent: kept,
  httpAgent: kept,
  /** Waiting for a free connection counts as connecting. */
  connectionTimeout: 1_000,
  /** Without a byte sent or received, so large requests and responses may take longer. */
  socketTimeout: 1_500,
} as const;

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
    send: (command: unknown) => send(command, { abortSignal: timeoutSignal() }),
  });
}
