import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Operation } from '../shared/platform/http/operation.ts';

/** Every file of an operation exports its contract as `verbNounOperation`. Workers have none. */
const modules = await Promise.all(globSync('functions/*/*.ts').map((file) => import(resolve(file))));
export const operations: readonly Operation[] = modules.flatMap((exported: Record<string, unknown>) =>
  Object.entries(exported).flatMap(([name, value]) =>
    name.endsWith('Operation') ? [value as Operation] : [],
  ),
);
const byId = new Map(operations.map((operation) => [operation.id, operation]));

/** The contract of the operation that a function serves, by the id of both: `StartSync`. */
export function findOperation(id: string): Operation {
  const operation = byId.get(id);
  if (!operation) throw new Error(`${id} is not an operation: no file of functions/ exports its contract.`);
  return operation;
}
