import { randomInt } from 'node:crypto';
import { buildAssembly, isStale } from '../../build/assembly.ts';
import { runProgram } from '../../build/command-line.ts';
import { type ChaosOptions, chaosCommand } from './chaos/command.ts';
import { balances } from './chaos/ledger.ts';
import { chaosReport, ledgerReport } from './chaos/report.ts';
import { runCrashes } from './chaos/run-crashes.ts';
import { runUnderFaults } from './chaos/run-under-faults.ts';
import { crashSize, sizes } from './chaos/sizes.ts';

const assemblyDir = 'cdk.out';

function progress(line: string): void {
  console.error(`  ${line}`);
}

async function run({ seed, size: sizeName, minutes, crash, json }: ChaosOptions): Promise<void> {
  if (isStale(assemblyDir)) await buildAssembly();
  const startedAt = performance.now();
  progress(`seed ${seed}`);
  const size = sizes[sizeName];
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
  // What a killed function left open must not keep the process alive.
  process.exit(ok ? 0 : 1);
}

process.exitCode = await runProgram(chaosCommand(randomInt(1_000_000), run));
