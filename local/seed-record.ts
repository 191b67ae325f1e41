import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJsonFile } from './json-file.ts';

const SeedRecord = z.object({
  /** The stream of the seeded table: a table that was deleted and created again has another. */
  tableStream: z.string(),
  /** Where the simulated partners listened last; absent if they have never run. */
  simulatorPort: z.optional(z.int().check(z.minimum(1))),
});
type SeedRecord = z.infer<typeof SeedRecord>;

/** Reads and writes `seed.json`, from which a start knows what earlier starts have seeded. */
export function seedRecord(stateDir: string) {
  const file = join(stateDir, 'seed.json');
  return {
    /** Returns `undefined` until the first seeding is complete. */
    read: (): SeedRecord | undefined =>
      readJsonFile(
        file,
        SeedRecord,
        'is no record of a start: delete it, or start from scratch with --fresh.',
      ),
    write: (record: SeedRecord): void => writeFileSync(file, JSON.stringify(record, null, 2)),
  };
}
