import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';

export const defaultStateDir = '.local';

/** Reads `endpoints.json` of the service that runs on the state folder; `undefined` if none runs. */
export function readEndpoints<Endpoints>(stateDir: string, schema: z.ZodMiniType<Endpoints>) {
  try {
    return schema.parse(JSON.parse(readFileSync(join(stateDir, 'endpoints.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Fails if a partner's secret in the state folder is not valid any more. */
export function demandSecrets(...partners: readonly { readonly whyNoSecret?: string | undefined }[]): void {
  const why = partners.find(({ whyNoSecret }) => whyNoSecret !== undefined)?.whyNoSecret;
  if (why !== undefined) throw failure(why);
}
