import { readFileSync } from 'node:fs';
import type { Seed } from './seeds.ts';

/** One function in one situation. */
export interface Scene {
  /** `StartSync, 50 places`: it begins with the function's id. */
  readonly what: string;
  /** False for what is no HTTP request, and for lists longer than everyday ones: there the work itself is measured. */
  readonly hasBudget?: boolean;
  /** Elements of the list that it is about, where the same is measured with more and with fewer. */
  readonly size?: number;
  /** What is in the table besides the two partners of the samples. */
  readonly seed?: Seed;
  /** The body of request number `n` of a batch; left out: the sample as it is. */
  readonly body?: (n: number) => unknown;
  /** Whether the parsed body (of the authorizer, the response) is what it must be. */
  readonly isRight: (response: never, n: number) => boolean;
}

/** Invocations of a batch. */
export const batchSize = 25;

export function functionIdOf({ what }: Scene): string {
  return what.split(',')[0] ?? '';
}

export function eventsOf(scene: Scene): object[] {
  const sample = JSON.parse(readFileSync(`events/${functionIdOf(scene)}.json`, 'utf8')) as object;
  return Array.from({ length: batchSize }, (_, n) =>
    scene.body ? { ...sample, body: JSON.stringify(scene.body(n)) } : sample,
  );
}

/** What is timed must be right. */
export function assertRight(scene: Scene, responses: readonly unknown[], first = 0): void {
  for (const [index, response] of responses.entries()) {
    const { statusCode, body = '' } = response as { statusCode?: number; body?: string };
    const parsed = statusCode === undefined ? response : statusCode === 200 ? JSON.parse(body) : undefined;
    if (parsed !== undefined && scene.isRight(parsed as never, first + index)) continue;
    const shown = JSON.stringify(response).slice(0, 500);
    throw new Error(`${scene.what}: request ${first + index} was answered ${shown}`);
  }
}
