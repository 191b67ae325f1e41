import { readArguments } from '../infra/arguments.ts';
import type { SimulatorOptions } from './simulators/simulators.ts';

export interface StartOptions {
  readonly port: number;
  readonly stateDir: string;
  readonly fresh: boolean;
  readonly watch: boolean;
  readonly retrySpeed: number;
  readonly simulators: SimulatorOptions | false;
}

export type CommandLine =
  | { readonly kind: 'start'; readonly options: StartOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly sentence: string };

export const help = `Runs the whole service on this machine: no AWS account, no Docker.

npm start -- [options]

  --port <number>         Port of the HTTP API on 127.0.0.1 (default 3000; 0: any free one)
  --state <folder>        Where data, logs and credentials are kept between runs (default .local)
  --fresh                 Begin without what earlier runs left in that folder
  --watch                 Bundle and load the functions again when functions/ or shared/ change
  --retry-speed <number>  Divide the waits between retries and the pauses of schedules (default 1)
  --wallet-delay-ms <ms>  How long the simulated wallet platform takes to deliver a push message, and its
                          owner to open it (default 300, at most 40000)
  --no-simulators         Leave out the simulated wallet platform and the simulated partners' callback receivers
  --help                  Show this text

Environment:

  DYNAMODB_ENDPOINT       Use this DynamoDB (DynamoDB Local, say) instead of starting one
  SQS_ENDPOINT            Use this SQS instead of starting one

When the service is ready, <state folder>/endpoints.json holds all its addresses and credentials.
Ctrl-C stops everything; the next start goes on with the same data.`;

/** Longer, and messages of push-outbox would come again before their last receipts were sent. */
const maxWalletDelayMs = 40_000;

function mistake(sentence: string): CommandLine {
  return { kind: 'mistake', sentence };
}

function parse(args: readonly string[]) {
  return readArguments(args, {
    options: {
      port: { type: 'string', default: '3000' },
      state: { type: 'string', default: '.local' },
      fresh: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      'retry-speed': { type: 'string', default: '1' },
      'wallet-delay-ms': { type: 'string', default: '300' },
      'no-simulators': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** Reads what stands behind `npm start --`. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const read = parse(args);
  if (typeof read === 'string') return mistake(`${read}: --help lists the options.`);
  const { values } = read;
  if (values.help) return { kind: 'help' };
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || values.port.trim() === '') {
    return mistake(`--port takes a number from 0 to 65535, not "${values.port}".`);
  }
  const retrySpeed = Number(values['retry-speed']);
  if (!(retrySpeed > 0) || !Number.isFinite(retrySpeed)) {
    return mistake(`--retry-speed takes a number above 0, not "${values['retry-speed']}".`);
  }
  const delayMs = Number(values['wallet-delay-ms']);
  if (!(delayMs >= 0 && delayMs <= maxWalletDelayMs) || values['wallet-delay-ms'].trim() === '') {
    return mistake(
      `--wallet-delay-ms takes a number from 0 to ${maxWalletDelayMs}, not "${values['wallet-delay-ms']}".`,
    );
  }
  const simulators = values['no-simulators'] ? false : { delayMs };
  const { state: stateDir, fresh, watch } = values;
  return { kind: 'start', options: { port, stateDir, fresh, watch, retrySpeed, simulators } };
}
