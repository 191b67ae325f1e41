import { Command } from '@commander-js/extra-typings';
import { wholeNumber } from '../ops/cli/option-values.ts';
import { defaultStateDir } from './running-service.ts';

/** Half of the 900 s by which SQS can delay a message, because an opening is reported after twice the delay. */
const maxWalletDelayMs = 450_000;

/** The command line of `npm start`. */
export function startCommand() {
  return new Command('npm start --')
    .description('Runs the whole service on this machine: no AWS account, no Docker.')
    .option('--port <number>', 'Port of the HTTP API on 127.0.0.1 (0: any)', wholeNumber(0, 65_535), 3000)
    .option('--state <folder>', 'Where data, logs and credentials are stored between runs', defaultStateDir)
    .option('--fresh', 'Start without what earlier runs left in that folder')
    .option('--watch', 'Build and start again, with the same data and port, when a source changes')
    .option(
      '--retry-speed <number>',
      'Divide the waits between retries and the intervals of schedules',
      wholeNumber(1, 1_000_000),
      1,
    )
    .option(
      '--wallet-delay-ms <ms>',
      `How long the simulated wallet platform takes to deliver a push message, and its owner to open it: rounded to seconds, at most ${maxWalletDelayMs}`,
      wholeNumber(0, maxWalletDelayMs),
      1_000,
    )
    .option(
      '--no-simulators',
      'Start no callback receivers of partners, and leave push-outbox to a wallet platform of your own',
    )
    .addHelpText(
      'after',
      `
Environment:
  DYNAMODB_ENDPOINT  Use this DynamoDB (DynamoDB Local, for example) instead of starting one
  SQS_ENDPOINT       Use this SQS instead of starting one

When the service is ready, <state folder>/endpoints.json has all its addresses and credentials.
Ctrl-C stops everything; the next start continues with the same data.`,
    );
}
