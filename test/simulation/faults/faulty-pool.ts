import { setTimeout as delay } from 'node:timers/promises';
import { FunctionError } from '../../../local/functions/function-error.ts';
import type { FunctionPool, InvokeOptions } from '../../../local/functions/function-pool.ts';
import type { InvocationResult } from '../../../local/functions/function-worker.ts';
import { seededRandom } from '../../../local/rng.ts';
import { isRecord } from '../../../local/template/resource.ts';
import type { FaultPlan } from './fault-plan.ts';

/** Invocations take from ten milliseconds to seconds, so many threads that end by then end in the middle of one. */
const killedWithinMs = 1_500;

function killAfterMs(degree: number): number {
  return 1 + degree ** 3 * killedWithinMs;
}

const heldBackMs = 300;

type Source = 'queue' | 'fifo' | 'stream' | 'request' | 'schedule';

interface QueueEventRecord {
  readonly eventSource: string;
  readonly eventSourceARN: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

function recordsOf(event: unknown): readonly QueueEventRecord[] {
  return isRecord(event) && Array.isArray(event['Records']) ? event['Records'] : [];
}

function sourceOf(event: unknown): Source {
  const [first] = recordsOf(event);
  if (first?.eventSource === 'aws:dynamodb') return 'stream';
  if (first) return first.eventSourceARN.endsWith('.fifo') ? 'fifo' : 'queue';
  return isRecord(event) && 'requestContext' in event ? 'request' : 'schedule';
}

function shuffled<Item>(items: readonly Item[], degree: number): Item[] {
  const random = seededRandom(degree);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** The records of a second delivery: the queue has counted one more receive. */
function receivedAgain(records: readonly QueueEventRecord[]) {
  return {
    Records: records.map((record) => ({
      ...record,
      attributes: {
        ...record.attributes,
        ApproximateReceiveCount: String(Number(record.attributes?.['ApproximateReceiveCount'] ?? 1) + 1),
      },
    })),
  };
}

interface PoolFaults {
  readonly plan: FaultPlan;
  readonly idle: () => Promise<void>;
}

/** Invokes a function as an unreliable network and unreliable machines would. */
export function faultyPool(
  pool: FunctionPool,
  functionName: string,
  { plan, idle }: PoolFaults,
): FunctionPool {
  /**
   * A function that ended in the middle leaves calls in flight. Its messages are delivered again six timeouts later,
   * or within seconds at a high retry speed: a busy engine might then execute such a call after its own repetition.
   */
  const invokeThenIdle = async (event: unknown, options: InvokeOptions): Promise<InvocationResult> => {
    try {
      return await pool.invoke(event, options);
    } catch (error) {
      await idle();
      throw error;
    }
  };

  /** The thread may end in the middle; counted only if it did. */
  const invokeOrKill = async (
    event: unknown,
    options: InvokeOptions,
    source: Source,
  ): Promise<InvocationResult> => {
    const kind = source === 'request' ? 'requestKilled' : 'workerKilled';
    const kill = plan.next(`${functionName} ${kind}`, [kind]);
    if (!kill) return invokeThenIdle(event, options);
    try {
      return await invokeThenIdle(event, { ...options, endAfterMs: killAfterMs(kill.degree) });
    } catch (error) {
      if (error instanceof FunctionError && error.failure.errorType === 'Runtime.ExitError') plan.count(kind);
      throw error;
    }
  };

  /** The result of the first delivery is lost, so the second decides what happens to the messages. */
  const deliverTwice = async (
    event: unknown,
    options: InvokeOptions,
    source: Source,
  ): Promise<InvocationResult> => {
    const again = source === 'stream' ? event : receivedAgain(recordsOf(event));
    plan.count(source === 'stream' ? 'streamTwice' : 'deliveredTwice');
    const first = invokeOrKill(event, options, source);
    if (source !== 'queue') {
      // In order: what failed comes back, and the second delivery would not have come.
      const response = await first;
      if (response.payload.includes('itemIdentifier')) return response;
      return invokeOrKill(again, options, source);
    }
    const [, second] = await Promise.allSettled([first, invokeOrKill(again, options, source)]);
    if (second.status === 'rejected') throw second.reason;
    return second.value;
  };

  const invokeQueue = async (event: unknown, options: InvokeOptions): Promise<InvocationResult> => {
    const reorder = plan.next(`${functionName} reordered`, ['reordered']);
    const twice = plan.next(`${functionName} deliveredTwice`, ['deliveredTwice']);
    let given = event;
    if (reorder) {
      plan.count('reordered');
      given = { Records: shuffled(recordsOf(event), reorder.degree) };
      // Later batches overtake this one.
      await delay(reorder.degree * heldBackMs);
    }
    return twice ? deliverTwice(given, options, 'queue') : invokeOrKill(given, options, 'queue');
  };

  const invokeInOrder = (event: unknown, options: InvokeOptions, source: 'fifo' | 'stream') => {
    const kind = source === 'stream' ? 'streamTwice' : 'deliveredTwice';
    const twice = plan.next(`${functionName} ${kind}`, [kind]);
    return twice ? deliverTwice(event, options, source) : invokeOrKill(event, options, source);
  };

  return {
    ...pool,
    invoke: (event, options = {}) => {
      const source = sourceOf(event);
      if (source === 'queue') return invokeQueue(event, options);
      if (source === 'fifo' || source === 'stream') return invokeInOrder(event, options, source);
      return invokeOrKill(event, options, source);
    },
  };
}
