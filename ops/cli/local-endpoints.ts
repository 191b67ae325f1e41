import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';

export const defaultStateDir = '.local';

/** What the local service that runs on the state folder wrote about itself; `undefined` when none does. */
export function readEndpoints<Endpoints>(stateDir: string, schema: z.ZodMiniType<Endpoints>) {
  try {
    return schema.parse(JSON.parse(readFileSync(join(stateDir, 'endpoints.json'), 'utf8')));
  } catch {
    return undefined;
  }
}
