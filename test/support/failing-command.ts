import { type Call, interceptCalls } from './intercept-calls.ts';

/**
 * Makes calls of a client fail from the `nth` call of the named command on, such as `PutItemCommand`, as if its
 * function were killed there. `remove` ends this.
 */
export function failingCommand(
  client: Parameters<typeof interceptCalls>[0],
  command: string | ((call: Call) => boolean),
  nth = 1,
  error = new Error('the function is killed'),
): { remove: () => void } {
  const isMeant = typeof command === 'string' ? ({ name }: Call) => name === command : command;
  let calls = 0;
  const remove = interceptCalls(client, async (call, make) => {
    calls += Number(isMeant(call));
    if (isMeant(call) && calls >= nth) throw error;
    return make();
  });
  return { remove };
}
