import type { FakeClock } from './clock.ts';
import { failingCommand } from './failing-command.ts';
import type { TestTable } from './table.ts';

/** Sends a request that dies before its response is kept under its Idempotency-Key. An equal one may continue it then. */
export async function diesAfterItsWork<Reply>(
  { table, clock }: { table: TestTable; clock: FakeClock },
  send: () => Promise<Reply>,
): Promise<Reply> {
  const dies = failingCommand(
    table.client,
    ({ name, input }) => name === 'UpdateItemCommand' && input.Key.pk.startsWith('IDEM#'),
  );
  const reply = await send();
  dies.remove();
  clock.advance(60_000);
  return reply;
}
