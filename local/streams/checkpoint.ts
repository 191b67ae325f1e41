import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far one mapping has read its stream. */
export interface Checkpoint {
  /** Of the engine: another stream's numbers mean nothing. */
  readonly streamArn: string;
  readonly shardId: string;
  readonly sequenceNumber: string;
}

export interface CheckpointFile {
  read(): Checkpoint | undefined;
  write(checkpoint: Checkpoint): void;
}

export function checkpointFile(folder: string, mappingId: string): CheckpointFile {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${mappingId}.json`);
  return {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Checkpoint) : undefined),
    write: (checkpoint) => {
      // Renamed into place: a crash in the middle of writing leaves the old one.
      writeFileSync(`${file}.new`, JSON.stringify(checkpoint));
      renameSync(`${file}.new`, file);
    },
  };
}
