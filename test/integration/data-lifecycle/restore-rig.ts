import { beforeAll } from 'vitest';
import type { Terminal } from '../../../ops/cli/command-line.ts';
import { runRestore } from '../../../ops/data-lifecycle/restore-program.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { type Row, writeAll } from '../../../shared/platform/table/batches.ts';
import { fakeClock, noon } from '../../support/clock.ts';
import { runCommand } from '../../support/command.ts';
import { type Filled, fillPartner } from '../../support/sample-partner.ts';
import { copyTable, newTable, rowsOf } from '../../support/table.ts';

export const bars = {
  partnerId: 'bars',
  offerId: 'bars-of-moscow',
  firstNumber: 79_000_000_000,
  places: 20,
  nowMs: noon,
};

export const bakery = {
  partnerId: 'bakery',
  offerId: 'bakery-club',
  firstNumber: 79_500_000_000,
  places: 3,
  nowMs: noon,
};

/** Cuts the parts of lists, which no restore puts back: together they are 2 MB, which both tables would be given. */
function shortened(row: Row): Row {
  return String(row.pk).startsWith('LIST#') ? { ...row, content: Buffer.from('a part') } : row;
}

/** Gives the tests of a file tables with two partners, and the command that restores them. */
export function restoreFixture() {
  /** The rows of two partners, made once: each test writes them to tables of its own. */
  let sampleRows: Row[];
  const ids = {} as Filled;
  beforeAll(async () => {
    const table = await newTable();
    Object.assign(ids, await fillPartner(table, bars));
    await fillPartner(table, bakery);
    sampleRows = await rowsOf(table);
  });

  /** The command usually reads slowly, to leave the table to the service. */
  const fast = '--units-per-second=1000000';

  /** Returns a live table with two partners, and a copy of it. A Scan returns tables with whole lists in several pages. */
  async function liveAndCopy({ stream = false, wholeLists = false } = {}) {
    const live = await newTable();
    const rows = wholeLists ? sampleRows : sampleRows.map(shortened);
    await writeAll(
      live,
      rows.map((put) => ({ put })),
    );
    return { live, copy: await copyTable(live, `${live.name}-copy`, { stream }) };
  }

  /** Runs the command with these words; without a response nobody is there to give one. Questions are added to a list. */
  function runWith(words: readonly string[], response?: string, questions: string[] = []) {
    const command = (terminal: Terminal) =>
      runRestore(words, { terminal, clock: fakeClock(), ids: systemIds });
    return runCommand(command, response === undefined ? {} : { response }, { questions, progress: [] });
  }

  return { fast, ids, liveAndCopy, runWith };
}
