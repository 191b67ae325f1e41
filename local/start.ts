import { Command } from '@commander-js/extra-typings';
import { currentAssembly } from '../build/assembly.ts';
import { runProgram } from '../ops/cli/command-line.ts';
import { wholeNumber } from '../ops/cli/option-values.ts';
import { defaultStateDir } from './running-service.ts';
import { type LocalService, startLocalService } from './service.ts';
import { watchSources } from './watch-sources.ts';
import { welcome } from './welcome.ts';

/** Ctrl-C ends the process after this time, even if something still hangs. */
const stopDeadlineMs = 800;

/** SQS can delay a message by twice this, and an opening is reported after twice the delay. */
const maxWalletDelaySeconds = 450;

let service: LocalService | undefined;

async function stop(): Promise<void> {
  setTimeout(() => process.exit(0), stopDeadlineMs).unref();
  await service?.stop();
  process.exit(0);
}

const program = new Command('npm start --')
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
    '--wallet-delay <seconds>',
    `How long the simulated wallet platform takes to deliver a push message, and its owner to open it (0 to ${maxWalletDelaySeconds})`,
    wholeNumber(0, maxWalletDelaySeconds),
    1,
  )
  .option(
    '--no-simulators',
    'Start no callback receivers of partners, and leave push-outbox and push-cancellations to a wallet platform of your own',
  )
  .addHelpText(
    'after',
    `
Environment:
  DYNAMODB_ENDPOINT  Use this DynamoDB (DynamoDB Local, for example) instead of starting one
  SQS_ENDPOINT       Use this SQS instead of starting one

When the service is ready, <state folder>/endpoints.json has all its addresses and credentials.
Ctrl-C stops everything; the next start continues with the same data.`,
  )
  .action(async ({ state: stateDir, fresh = false, watch, walletDelay, ...options }) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    const settings = {
      ...options,
      stateDir,
      walletDelaySeconds: walletDelay,
      underRoles: true,
      onLost: (sentence: string) => {
        console.error(sentence);
        process.exit(1);
      },
    };
    const started = await startLocalService({ ...settings, fresh, assemblyDir: await currentAssembly() });
    service = started;
    console.log(welcome(started.endpoints, stateDir));
    if (!watch) return;
    watchSources(async () => {
      // A build that fails leaves the service running as it was.
      const assemblyDir = await currentAssembly();
      await service?.stop();
      service = await startLocalService({ ...settings, assemblyDir, port: started.port });
    });
  });

const exitCode = await runProgram(program);
// A failed start may leave the thread of an engine behind.
if (exitCode !== 0) process.exit(exitCode);
