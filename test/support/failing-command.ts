import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Makes calls of a client fail from the `nth` call of the named command on, such as `PutItemCommand`, as if its
 * function were killed there. `remove` ends this.
 */
export function failingCommand(
  client: DynamoDBDocumentClient,
  name: string,
  nth = 1,
  error = new Error('the function is killed'),
): { remove: () => void } {
  let calls = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === name) calls += 1;
      if (context.commandName === name && calls >= nth) throw error;
      return next(args);
    },
    { step: 'initialize', name: 'failingCommand' },
  );
  return { remove: () => client.middlewareStack.remove('failingCommand') };
}
