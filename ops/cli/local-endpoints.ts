import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';

export const defaultStateDir = '.local';

/** What the local service that runs on the state folder wrote about itself; `undefined` when none does. */
export function readEndpoints<Endpoints>(stateDir: string, schema: z.ZodMiniType<Endpoints>) {
  try {
    return schema.parse(JSON.parse(readFileSync(join(stateDir, 'endpoints.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Ends a command that would sign in with a secret which opens nothing any more. */
export function demandSecrets(...partners: readonly { readonly whyNoSecret?: string | undefined }[]): void {
  const why = partners.find(({ whyNoSecret }) => whyNoSecret !== undefined)?.whyNoSecret;
  if (why !== undefined) throw failure(why);
}
