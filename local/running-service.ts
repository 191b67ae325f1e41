import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';

export const defaultStateDir = '.local';

/** Reads `endpoints.json` of the service that runs on the state folder; `undefined` if none runs. */
export function readEndpoints<Endpoints>(stateDir: string, schema: z.ZodMiniType<Endpoints>) {
  try {
    return schema.parse(JSON.parse(readFileSync(join(stateDir, 'endpoints.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** False if the service crashed, which leaves its file behind. */
export function isListening(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}
