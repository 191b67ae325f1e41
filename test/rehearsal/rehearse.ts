import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Command } from '@commander-js/extra-typings';
import { runProgram } from '../../build/command-line.ts';
import { startDynoxide } from '../../local/engines/dynoxide.ts';
import { plainTable } from '../../ops/cli/formats.ts';
import { createPlainTable } from './copy-table.ts';
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

async function run(): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-rehearsal-'));
  const engine = await startDynoxide(stateDir, () => console.error('The engine ended by itself.'));
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: engine.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  try {
    const live = await createPlainTable(client, 'live');
    process.exitCode = report(await rehearse(live, { places: 533, nowMs: Date.now() }));
  } finally {
    client.destroy();
    await engine.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

const exitCode = await runProgram(
  new Command('npm run restore:rehearse')
    .description(
      'Rehearses a restore on an engine of its own, and ends with exit code 1 when a row differs from the ledger.',
    )
    .action(run),
);
if (exitCode !== 0) process.exitCode = exitCode;
