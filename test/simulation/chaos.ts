import { randomInt } from 'node:crypto';
import { buildAssembly, isStale } from '../../build/assembly.ts';
import { balances } from './chaos/ledger.ts';
import { type ChaosCommand, help, readCommandLine } from './chaos/options.ts';
import { chaosReport, ledgerReport } from './chaos/report.ts';
import { runCrashes } from './chaos/run-crashes.ts';
import { runUnderFaults } from './chaos/run-under-faults.ts';
import { crashSize, sizes } from './chaos/sizes.ts';

const assemblyDir = 'cdk.out';

function progress(line: string): void {
  console.error(`  ${line}`);
}

async function run({ seed, form, minutes, crash, json }: ChaosCommand): Promise<boolean> {
  if (isStale(assemblyDir)) await buildAssembly();
  const startedAt = performance.now();
  progress(`seed ${seed}`);
  const size = sizes[form];
  const flowSeconds = minutes === undefined ? size.flowSeconds : minutes * 60;
  const underFaults =
    crash === 'only'
      ? undefined
      : await runUnderFaults({ ...size, flowSeconds, seed, assemblyDir, progress });
  if (underFaults && !json) console.log(`\n${chaosReport(seed, underFaults)}\n`);
  const crashes = crash === 'not' ? undefined : await runCrashes({ ...crashSize, seed, progress });
  if (crashes && !json) {
    console.log(
      `\n${ledgerReport(`Ledger after ${crashes.kills.length} kills, seed ${seed}`, crashes.ledger)}\n`,
    );
  }
  const entries = [underFaults, crashes].flatMap((result) => result?.ledger.entries ?? []);
  const ok = entries.every(balances);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (json) console.log(JSON.stringify({ seed, ok, seconds, underFaults, crashes }, null, 2));
  else {
    const verdict = ok
      ? `All ${entries.length} entries balance`
      : `${entries.filter((line) => !balances(line)).length} entries DO NOT BALANCE`;
    console.log(`${verdict} after ${seconds} s. Again: npm run chaos -- --seed ${seed}`);
  }
  return ok;
}

const commandLine = readCommandLine(process.argv.slice(2), randomInt(1_000_000));
switch (commandLine.kind) {
  case 'help':
    console.log(help);
    break;
  case 'mistake':
    console.error(commandLine.sentence);
    process.exitCode = 2;
    break;
  case 'run':
    // What a killed function left open must not hold the program up.
    process.exit((await run(commandLine.command)) ? 0 : 1);
}
