import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A call of a client: the name of its command, such as `PutItemCommand`, and its input. */
// biome-ignore lint/suspicious/noExplicitAny: a test knows the inputs of the commands that it looks for.
export type Call = { name: string; input: any };

/** Any client of the SDK: the types of their middlewares differ, and their middlewares do not. */
type Client = { middlewareStack: object };

/**
 * Passes every call of a client to `pass`, which makes it by `make` or throws as if it had failed, and returns the
 * output. The function that is returned ends this.
 */
export function interceptCalls(
  client: Client,
  pass: (call: Call, make: () => Promise<object>) => Promise<object>,
): () => void {
  const name = randomUUID();
  const middlewares = client.middlewareStack as DynamoDBDocumentClient['middlewareStack'];
  middlewares.add(
    (next, { commandName }) =>
      async (args) => {
        const make = async () => (await next(args)).output;
        const output = await pass({ name: String(commandName), input: args.input }, make);
        return { response: {}, output: output as never };
      },
    { step: 'initialize', priority: 'high', name },
  );
  return () => middlewares.remove(name);
}

/** Lets `act` happen just before the next such call: what its sender has read is out of date then. */
export function justBefore(
  client: Client,
  isMeant: (call: Call) => boolean,
  act: () => Promise<unknown>,
): void {
  const end = interceptCalls(client, async (call, make) => {
    if (!isMeant(call)) return make();
    end();
    await act();
    return make();
  });
}
