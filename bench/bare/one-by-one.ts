// The plain loop: one POST after the other over a kept connection.
import { post } from './post.ts';

export async function handler({ Records }: { Records: { body: string }[] }): Promise<object> {
  for (const { body } of Records) await post(body);
  return { batchItemFailures: [] };
}
