import type { MeteredCall } from '../../local/engines/engine-meter.ts';
import type { Interception } from '../../local/interception.ts';
import { startThreadedMeter, type ThreadedMeter } from './threaded-meter.ts';

/** What one function consumed. */
export interface Consumption {
  readonly read: number;
  readonly write: number;
  readonly tableCalls: number;
  /** As SQS bills what the function sent: 64 kB are one request. */
  readonly queueRequests: number;
  readonly invocations: number;
}

export type Ledger = ReadonlyMap<string, Consumption>;

export interface MeterLayer extends Interception {
  /** What was consumed since the last call, by function (`SendBulk`). */
  taken(): Promise<Ledger>;
  /** The operations that each function has called so far. */
  called(): ReadonlyMap<string, ReadonlySet<string>>;
}

const billedBytes = 65_536;
export const nothing: Consumption = { read: 0, write: 0, tableCalls: 0, queueRequests: 0, invocations: 0 };

/** `partner-integration-dev-SendBulk` -> `SendBulk` */
function shortName(name: string): string {
  return name.split('-').at(-1) ?? name;
}

/** Lets everything through, and writes down for each function what it consumed of table, queues and Lambda. */
export function meterLayer(): MeterLayer {
  let ledger = new Map<string, Consumption>();
  let meters: readonly ThreadedMeter[] = [];
  const add = (name: string, more: Partial<Consumption>): void => {
    const before = ledger.get(shortName(name)) ?? nothing;
    const sum = (field: keyof Consumption): number => before[field] + (more[field] ?? 0);
    ledger.set(shortName(name), {
      read: sum('read'),
      write: sum('write'),
      tableCalls: sum('tableCalls'),
      queueRequests: sum('queueRequests'),
      invocations: sum('invocations'),
    });
  };
  const called = new Map<string, Set<string>>();
  const remember = (caller: string, operation: string): void => {
    const name = shortName(caller);
    called.set(name, (called.get(name) ?? new Set()).add(operation));
  };
  const fromTable = ({ caller = 'unknown', operation, read, write }: MeteredCall): void => {
    remember(caller, operation);
    add(caller, { read, write, tableCalls: 1 });
  };
  const fromQueues = ({ caller = 'unknown', operation, requestBytes }: MeteredCall): void => {
    remember(caller, operation);
    add(caller, { queueRequests: Math.ceil(requestBytes / billedBytes) });
  };
  return {
    proxyEngines: async ({ dynamodb, sqs }) => {
      const [table, queues] = await Promise.all([
        startThreadedMeter(dynamodb, fromTable),
        startThreadedMeter(sqs, fromQueues),
      ]);
      meters = [table, queues];
      const stop = async () => {
        await Promise.all([table.stop(), queues.stop()]);
      };
      return { dynamodb: table.endpoint, sqs: queues.endpoint, stop };
    },
    wrapPool: (pool, functionName) => ({
      ...pool,
      invoke: (event, options) => {
        add(functionName, { invocations: 1 });
        return pool.invoke(event, options);
      },
    }),
    called: () => called,
    taken: async () => {
      await Promise.all(meters.map((meter) => meter.caughtUp()));
      const taken = ledger;
      ledger = new Map();
      return taken;
    },
  };
}
