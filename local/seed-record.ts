import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJsonFile } from './json-file.ts';

const SeedRecord = z.object({
  /** The stream of the seeded table: a table that was deleted and created again has another. */
  tableStream: z.string(),
  /** Where the simulated partners listened last; absent as long as they have never run. */
  simulatorPort: z.optional(z.int().check(z.minimum(1))),
});
type SeedRecord = z.infer<typeof SeedRecord>;

/** What a start tells the next one, so that nothing is seeded a second time: `seed.json` in the state folder. */
export function seedRecord(stateDir: string) {
  const file = join(stateDir, 'seed.json');
  return {
    /** `undefined` before the first start has ended its seeding. */
    read: (): SeedRecord | undefined =>
      readJsonFile(
        file,
        SeedRecord,
        'is no record of a start: delete it, or start from scratch with --fresh.',
      ),
    write: (record: SeedRecord): void => writeFileSync(file, JSON.stringify(record, null, 2)),
  };
}
