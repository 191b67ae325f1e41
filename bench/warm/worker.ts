// The process that holds one function and nothing else: it is told to invoke, and answers what that took.
import { setTimeout as delay } from 'node:timers/promises';

export type Command =
  | { readonly kind: 'load'; readonly file: string }
  | { readonly kind: 'run'; readonly events: readonly object[] };

export interface Run {
  /** Of the whole batch: CPU of all threads of the process, collecting garbage included. */
  readonly cpuUs: number;
  readonly wallMs: number;
  /** One for each invocation. */
  readonly cpusUs: readonly number[];
  readonly wallsMs: readonly number[];
  readonly responses: readonly unknown[];
}

interface Loaded {
  readonly handler: (event: object, context: object) => Promise<unknown>;
  /** Turns the recorded calls of an event into commands. Only the bare handler has it. */
  readonly prepare?: (waves: unknown) => unknown;
}

let loaded: Loaded | undefined;

const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'],
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:bench',
  memoryLimitInMB: process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
  getRemainingTimeInMillis: () => 29_000,
};

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function run({ handler, prepare }: Loaded, events: readonly object[]): Promise<Run> {
  const ready = prepare
    ? events.map((event) => ({ ...event, waves: prepare('waves' in event ? event.waves : []) }))
    : events;
  const [cpusUs, wallsMs, responses]: [number[], number[], unknown[]] = [[], [], []];
  // What the message and the preparation left to be done must not be counted.
  await delay(2);
  const cpuAtStart = cpuUs();
  const startedAt = performance.now();
  let cpuBefore = cpuAtStart;
  let before = startedAt;
  for (const event of ready) {
    responses.push(await handler(event, context));
    const cpuNow = cpuUs();
    const now = performance.now();
    cpusUs.push(cpuNow - cpuBefore);
    wallsMs.push(now - before);
    cpuBefore = cpuNow;
    before = now;
  }
  return { cpuUs: cpuBefore - cpuAtStart, wallMs: before - startedAt, cpusUs, wallsMs, responses };
}

process.on('message', async (command: Command) => {
  try {
    if (command.kind === 'load') {
      loaded = (await import(command.file)) as Loaded;
      process.send?.({ done: true });
    } else {
      if (!loaded) throw new Error('nothing is loaded');
      process.send?.({ done: await run(loaded, command.events) });
    }
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? `${error.stack}` : String(error) });
  }
});
