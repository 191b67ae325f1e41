import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandError, failure } from '../build/command-line.ts';
import type { Endpoints } from './endpoints.ts';

const lockName = 'runner.lock';

/** What the first run writes, by which a later one knows the folder; an earlier version had no lock file. */
const marks = [lockName, 'partners.json'];

/** What a run leaves for the next one. Nothing else in the folder is ours to delete. */
const stateNames = ['dynamodb', 'sqs', 'checkpoints', 'logs', 'partners.json', 'seed.json', 'watch'];

function demandOwn(folder: string): void {
  const names = readdirSync(folder);
  if (names.length === 0 || marks.some((mark) => names.includes(mark))) return;
  throw failure(
    `${folder} holds other files, such as ${names[0]}: choose a new or an empty folder with --state.`,
  );
}

const sqliteBusy = 5;

/**
 * A lock of the operating system, which ends with its process however that ends: SQLite is Node's way to one. A process
 * id in a file could be another program's by now. The file stays: who deletes it could delete the one that another
 * process has just locked.
 */
function lock(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, lockName));
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    throw failure(`Another instance runs on ${folder}: stop it, or choose another folder with --state.`);
  }
}

/** Survives a fresh start, which must find what the runs before it created. */
function rememberPrefix(folder: string): string {
  const file = join(folder, 'name-prefix');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(4).toString('hex')}-`);
  return readFileSync(file, 'utf8');
}

/** For `curl -K`: what every request of the partner carries. */
function curlSettings({ login, secret, whyNoSecret, offerId }: Endpoints): string {
  return `${whyNoSecret ? `# ${whyNoSecret}` : `user = "${login}:${secret}"`}
header = "offerId: ${offerId}"
header = "content-type: application/json"
silent
show-error
write-out = "\\n"
`;
}

function removeEndpoints(folder: string): void {
  for (const name of ['endpoints.json', 'curl.conf']) rmSync(join(folder, name), { force: true });
}

function fill(folder: string, fresh: boolean) {
  removeEndpoints(folder);
  if (fresh) for (const name of stateNames) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of ['dynamodb', 'sqs', 'checkpoints', 'logs']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  return {
    logs: join(folder, 'logs'),
    checkpoints: join(folder, 'checkpoints'),
    /** Begins the names of this folder's tables and queues on engines that other folders may use too. */
    namePrefix: rememberPrefix(folder),
    /** Shows that the service is ready, and where, with settings for curl; removed when it stops. */
    writeEndpoints: (endpoints: Endpoints): void => {
      const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
      write('curl.conf', curlSettings(endpoints));
      write('endpoints.json', `${JSON.stringify(endpoints, null, 2)}\n`);
    },
  };
}

/** Locks the folder for this run; with `fresh`, removes what earlier runs left. */
export function openStateFolder(folder: string, fresh: boolean) {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    demandOwn(folder);
    database = lock(folder);
    const release = () => {
      removeEndpoints(folder);
      database?.close();
    };
    return { ...fill(folder, fresh), release };
  } catch (error) {
    database?.close();
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : error;
    throw failure(`${folder} cannot be the state folder (${reason}): choose another with --state.`);
  }
}
