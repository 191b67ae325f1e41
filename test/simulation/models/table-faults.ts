import type { TestTable } from '../../support/table.ts';

/**
 * What goes wrong with the n-th call of the table (1 is the first): it is refused; it is done and its response is
 * lost; or the function dies there, in the middle of a batch of writes, and makes no call any more.
 */
export type Fault = { kind: 'refused' | 'response lost' | 'dies'; call: number };

export function titleOf(fault: Fault | undefined): string {
  return fault ? `${fault.kind}@${fault.call}` : 'well';
}

type Batch = { RequestItems?: Record<string, unknown[]> };

/** Makes the table fail while a piece of work runs. */
export function tableFaults(table: TestTable) {
  let fault: Fault | undefined;
  let calls = 0;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      calls += 1;
      if (!fault || calls < fault.call) return next(args);
      if (fault.kind === 'dies') {
        if (calls === fault.call && context.commandName === 'BatchWriteCommand')
          await next({ ...args, input: half(args.input as Batch) as typeof args.input });
        throw new Error('the function has died');
      }
      if (calls > fault.call) return next(args);
      if (fault.kind === 'response lost') await next(args);
      throw new Error(`the table's response: ${fault.kind}`);
    },
    { step: 'initialize', name: 'faults' },
  );
  return {
    /** The result of the work, and whether the fault occurred. */
    during: async <Output>(
      planned: Fault | undefined,
      work: () => Promise<Output>,
    ): Promise<{ response: Output; struck: boolean }> => {
      fault = planned;
      calls = 0;
      try {
        const response = await work();
        return { response, struck: planned !== undefined && calls >= planned.call };
      } finally {
        fault = undefined;
      }
    },
  };
}

function half({ RequestItems = {} }: Batch): Batch {
  return {
    RequestItems: Object.fromEntries(
      Object.entries(RequestItems).map(([name, writes]) => [
        name,
        writes.slice(0, Math.ceil(writes.length / 2)),
      ]),
    ),
  };
}
