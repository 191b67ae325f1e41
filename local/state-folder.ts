import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandError, failure } from '../ops/cli/command-line.ts';
import type { Endpoints } from './endpoints.ts';

const lockName = 'runner.lock';

/** Files that mark a folder as ours. Earlier versions wrote no lock file. */
const marks = [lockName, 'partners.json'];

/** A fresh start deletes these. Other files in the folder may belong to the user. */
const stateNames = ['dynamodb', 'sqs', 'checkpoints', 'logs', 'partners.json', 'seed.json'];

function demandOwn(folder: string): void {
  const names = readdirSync(folder);
  if (names.length === 0 || marks.some((mark) => names.includes(mark))) return;
  throw failure(
    `${folder} holds other files, such as ${names[0]}: choose a new or an empty folder with --state.`,
  );
}

const sqliteBusy = 5;

/**
 * Takes a lock of the operating system, which Node offers only through SQLite. It ends with its process, while a
 * process id in a file could belong to another program by now. The file is never deleted, because another process may
 * just have locked it.
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

/** Returns the prefix of this folder. A fresh start keeps it, because it must find what earlier runs created. */
function rememberPrefix(folder: string): string {
  const file = join(folder, 'name-prefix');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(4).toString('hex')}-`);
  return readFileSync(file, 'utf8');
}

/** The settings for `curl -K` that every request of the partner needs. */
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
  for (const name of ['endpoints.json', 'curl.conf', 'sam-env.json'])
    rmSync(join(folder, name), { force: true });
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

/** Links the files of a folder into a new one, and returns where they are; no file can be linked to another disk. */
function linkFiles(from: string, to: string): string {
  if (existsSync(to)) return to;
  try {
    for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const linked = join(to, relative(from, file));
      makeFolder(dirname(linked));
      linkSync(file, linked);
    }
    return to;
  } catch {
    rmSync(to, { recursive: true, force: true });
    return from;
  }
}

/** Locks the folder for this run; with `fresh`, removes what earlier runs left. */
export function openStateFolder(folder: string, fresh: boolean) {
  let database: DatabaseSync | undefined;
  try {
    demandOwn(makeFolder(folder));
    database = lock(folder);
    removeEndpoints(folder);
    rmSync(join(folder, 'code'), { recursive: true, force: true });
    if (fresh) for (const name of stateNames) rmSync(join(folder, name), { recursive: true, force: true });
    return {
      logs: makeFolder(join(folder, 'logs')),
      checkpoints: makeFolder(join(folder, 'checkpoints')),
      /** Keeps the code of a function for this run: a build in another terminal deletes that of the build before. */
      keepCode: (codeFolder: string) => linkFiles(codeFolder, join(folder, 'code', basename(codeFolder))),
      /** The prefix of this folder's tables and queues on engines that other folders share. */
      namePrefix: rememberPrefix(folder),
      /** Shows that the service is ready, and where, with settings for curl and SAM CLI. */
      writeEndpoints: (endpoints: Endpoints, samEnvironment: object): void => {
        const write = (name: string, text: string) =>
          writeFileSync(join(folder, name), text, { mode: 0o600 });
        write('curl.conf', curlSettings(endpoints));
        write('sam-env.json', `${JSON.stringify(samEnvironment, null, 2)}\n`);
        write('endpoints.json', `${JSON.stringify(endpoints, null, 2)}\n`);
      },
      release: (): void => {
        removeEndpoints(folder);
        database?.close();
      },
    };
  } catch (error) {
    database?.close();
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : error;
    throw failure(`${folder} cannot be the state folder (${reason}): choose another with --state.`);
  }
}
