import type { RowKindName } from '../shared/platform/table/row-kinds.ts';

/** Kinds of rows that functions touch together. Which id has which kind of row is known only at run time. */

export const messageRows = [
  'single message',
  'bulk send',
  'part of a bulk send',
] as const satisfies readonly RowKindName[];

export const stateRows = [
  'states of a message',
  'states of a bulk send',
] as const satisfies readonly RowKindName[];

/** The settings of an endpoint, and what attempts have learned about it. */
export const endpointRows = ['endpoint', 'circuit', 'pace'] as const satisfies readonly RowKindName[];
