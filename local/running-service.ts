import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { unlessItFails } from '../shared/platform/runtime/unless-it-fails.ts';

export const defaultStateDir = '.local';

/** Reads `endpoints.json` of the service that runs on the state folder; `undefined` if none runs. */
export function readEndpoints<Endpoints>(stateDir: string, schema: z.ZodMiniType<Endpoints>) {
  const file = join(stateDir, 'endpoints.json');
  return unlessItFails(() => schema.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

/** False if the service crashed, which leaves its file behind. */
export function isListening(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}
