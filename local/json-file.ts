import { existsSync, readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { failure } from '../ops/cli/command-line.ts';

/** Reads a file of an earlier run; `undefined` if there is none. `otherwise` says what to do about invalid content. */
export function readJsonFile<Value>(file: string, schema: z.ZodMiniType<Value>, otherwise: string) {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw failure(`${file} ${otherwise}`);
  }
}
