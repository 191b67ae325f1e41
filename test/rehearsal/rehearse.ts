import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { startDynoxide } from '../../local/engines/dynoxide.ts';
import { runProgram } from '../../ops/cli/command-line.ts';
import { plainTable } from '../../ops/cli/formats.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';
import { createPlainTable } from './copy-table.ts';
import { type LostTable, rehearseLostTable } from './lost-table.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';

function report({ steps, wrong, leftToDo }: Rehearsal): 0 | 1 {
  const rows = steps.map(({ what, rows, ms }) => [what, rows.toLocaleString('en-US'), `${ms} ms`]);
  console.log(plainTable(['step', 'rows', 'time'], rows));
  for (const row of wrong.slice(0, 20)) console.log(`  ${row}`);
  if (wrong.length === 0 && leftToDo === 0) {
    console.log('\nEvery row is as it was before the damage, and a second restore found nothing to do.');
    return 0;
  }
  console.log(`\n${wrong.length} rows differ from the ledger; a second restore found ${leftToDo} to do.`);
  return 1;
}

/** What partners see on the restored table is what they saw before, without the active check-in. */
function reportLost({ rows, deleted, seenBefore, seenAfter }: LostTable): 0 | 1 {
  const isServed = isDeepStrictEqual(seenAfter, { ...seenBefore, activeCheckIns: [] });
  const ending = isServed
    ? 'is served in its place, and what partners see is what they saw before.'
    : `is not served as it should be: ${JSON.stringify({ seenBefore, seenAfter })}`;
  console.log(`\nThe table was lost. The restored one, of ${rows} rows less ${deleted}, ${ending}`);
  return isServed ? 0 : 1;
}

async function run(): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-rehearsal-'));
  const engine = await startDynoxide(stateDir, () => console.error('The engine ended by itself.'));
  const { client } = connectLocalTable('live', engine.endpoint);
  try {
    const live = await createPlainTable(client, 'live');
    const damaged = report(await rehearse(live, { places: 533, nowMs: Date.now() }));
    process.exitCode = Math.max(damaged, reportLost(await rehearseLostTable()));
  } finally {
    client.destroy();
    await engine.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

const exitCode = await runProgram(
  new Command('npm run restore:rehearse')
    .description(
      'Rehearses on local engines a restore of damaged rows and a lost table, and ends with exit code 1 when one fails. Needs npm run build.',
    )
    .action(run),
);
if (exitCode !== 0) process.exitCode = exitCode;
