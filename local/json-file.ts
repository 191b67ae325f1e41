import { existsSync, readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { failure } from '../build/command-line.ts';

/** What an earlier run wrote, or `undefined` if none did; `otherwise` says what to do when the file holds something else. */
export function readJsonFile<Value>(file: string, schema: z.ZodMiniType<Value>, otherwise: string) {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw failure(`${file} ${otherwise}`);
  }
}
