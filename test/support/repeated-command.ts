import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Makes every call of the named command (`PutItemCommand`, say) twice, as the SDK does when a response is lost. */
export function repeatedCommand(client: DynamoDBDocumentClient, name: string): { remove: () => void } {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context['commandName'] === name) await next(args);
      return next(args);
    },
    { step: 'build', name: 'repeatedCommand' },
  );
  return { remove: () => client.middlewareStack.remove('repeatedCommand') };
}
