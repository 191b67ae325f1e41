import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJsonFile } from '../json-file.ts';

/** The last record of the stream that a mapping has handled. */
const Checkpoint = z.object({
  /** The engine's stream, because sequence numbers of another one mean nothing. */
  streamArn: z.string(),
  shardId: z.string(),
  sequenceNumber: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

export function checkpointFile(folder: string, mappingId: string) {
  const file = join(folder, `${mappingId}.json`);
  return {
    read: (): Checkpoint | undefined =>
      readJsonFile(file, Checkpoint, 'is no checkpoint: delete it, and its stream is read from the start.'),
    write: (checkpoint: Checkpoint): void => {
      // Write and rename, so that a crash in the middle leaves the old file.
      writeFileSync(`${file}.new`, JSON.stringify(checkpoint));
      renameSync(`${file}.new`, file);
    },
  };
}
