import type { ApiError } from './api-error.ts';

/** The sentences of an error by the field that they name: of `url: must be https`, the second half under `url`. */
export function fieldErrors(error: ApiError | null): Readonly<Record<string, string | undefined>> {
  const named: Record<string, string> = {};
  for (const sentence of error?.sentences ?? []) {
    const [, field, rest] = /^([\w.]+)(?:\[\d+\])?\S*: (.+)$/.exec(sentence) ?? [];
    if (field && rest) named[field] ??= rest;
  }
  return named;
}
