// The floor: as many POSTs at once as a batch has.
import { post } from './post.ts';

export async function handler({ Records }: { Records: { body: string }[] }): Promise<object> {
  await Promise.all(Records.map(({ body }) => post(body)));
  return { batchItemFailures: [] };
}
