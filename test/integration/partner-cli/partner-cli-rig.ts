import type { Terminal } from '../../../ops/cli/command-line.ts';
import { runPartner } from '../../../ops/partner/program.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { callbackStore } from '../../../shared/callbacks/rows/callback-store.ts';
import { deleteRow } from '../../../shared/platform/table/rows.ts';
import { authorize } from '../../support/authorize.ts';
import { basic } from '../../support/basic.ts';
import { fakeClock } from '../../support/clock.ts';
import { type Person, type Run, runCommand, stateFolder } from '../../support/command.ts';
import { fakeIds } from '../../support/ids.ts';
import { operatorPolicy } from '../../support/operator-policies.ts';
import { policedEngine } from '../../support/policed-engine.ts';
import { newTable } from '../../support/table.ts';

/** Returns ids with secrets that a test can predict and tell apart: 32 bytes of 1, then of 2, and so on. */
function countedIds() {
  let count = 0;
  const token = (byteCount: number) => {
    count += 1;
    return Buffer.alloc(byteCount, count).toString('base64url');
  };
  return { ...fakeIds(), token };
}

/**
 * Sets up the command with its own table, which it finds as it finds that of a local service. The command may do there
 * what the documented policy allows, and nothing else.
 */
export async function partnerCliRig() {
  const table = await newTable();
  const clock = fakeClock();
  const ids = countedIds();
  const engine = await policedEngine({ [table.name]: 'TABLE' });
  const stateDir = stateFolder(table.name, engine.endpoint);
  const questions: string[] = [];

  /** Runs the command exactly as it is typed, split at spaces. */
  const exactly = (line: string, person?: Person): Promise<Run> => {
    const words = line.split(' ').filter((word) => word !== '');
    engine.under(operatorPolicy(words[0] === 'erase' || words[0] === 'forget' ? 'erase' : 'partners'));
    const command = (terminal: Terminal) => runPartner(words, { terminal, clock, ids });
    return runCommand(command, person, { questions, progress: [] });
  };
  const run = (line: string, person?: Person) => exactly(`${line} --state ${stateDir}`, person);

  return {
    table,
    engine,
    remove: async (name: string) => {
      const [pk = '', sk = ''] = name.split(' ');
      await deleteRow(table, { pk, sk });
    },
    clock,
    ids,
    stateDir,
    questions,
    exactly,
    run,
    json: async (line: string, person?: Person): Promise<unknown> =>
      JSON.parse((await run(`${line} --json`, person)).out),
    authorizes: async (login: string, secret: string): Promise<boolean> =>
      (await authorize(table, basic(login, secret))).isAuthorized,
    endpoints: endpointStore(table),
    callbacks: callbackStore(table),
    createBars: () => run('create bars --login bars-api --offer bars-of-moscow'),
  };
}
