import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { defaultStateDir } from './typed-command.ts';

/** An opening is reported after twice as long, and SQS delays a message by 900 s at most. */
const maxWalletDelayMs = 450_000;

function number(range: string, isAllowed: (value: number) => boolean): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && isAllowed(value)) return value;
    throw new InvalidArgumentError(`takes a number ${range}.`);
  };
}

const port = number('from 0 to 65535', (value) => Number.isInteger(value) && value >= 0 && value <= 65_535);
const speed = number('above 0', (value) => value > 0 && Number.isFinite(value));
const walletDelayMs = number(
  `from 0 to ${maxWalletDelayMs}`,
  (value) => value >= 0 && value <= maxWalletDelayMs,
);

/** `npm start --` */
export function startCommand() {
  return new Command('npm start --')
    .description('Runs the whole service on this machine: no AWS account, no Docker.')
    .option('--port <number>', 'Port of the HTTP API on 127.0.0.1 (0: any free one)', port, 3000)
    .option('--state <folder>', 'Where data, logs and credentials are stored between runs', defaultStateDir)
    .option('--fresh', 'Start without what earlier runs left in that folder')
    .option('--watch', 'Bundle and load the functions again when functions/ or shared/ change')
    .option(
      '--retry-speed <number>',
      'Divide the waits between retries and the intervals of schedules (above 0)',
      speed,
      1,
    )
    .option(
      '--wallet-delay-ms <ms>',
      `How long the simulated wallet platform takes to deliver a push message, and its owner to open it: rounded to seconds, at most ${maxWalletDelayMs}`,
      walletDelayMs,
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
