import { readFileSync } from 'node:fs';
import { manyRequests } from '../../local/partners.ts';
import type { Seed } from './seeds.ts';

/** One function in one situation. */
export type Scene = {
  /** `StartSync, 50 places`: it begins with the function's id. */
  what: string;
  /** Adds rows to the table, which has the two partners of the samples. */
  seed?: Seed;
  /** The body of request `n` of a batch. The default is the body of the sample. */
  body?: (n: number) => unknown;
  /** Checks the parsed body, or the response of the authorizer. */
  isRight: (response: never, n: number) => boolean;
};

/** At most 20 lists of an offer wait, and nothing processes those of a batch. */
export const batchSize = 20;

export function functionIdOf({ what }: Scene): string {
  return what.split(',')[0] ?? '';
}

export function makeEvents(scene: Scene): object[] {
  const sample = JSON.parse(readFileSync(`events/${functionIdOf(scene)}.json`, 'utf8'));
  const partner = sample.requestContext?.authorizer?.lambda;
  if (partner) Object.assign(partner, { limits: manyRequests });
  return Array.from({ length: batchSize }, (_, n) =>
    scene.body ? { ...sample, body: JSON.stringify(scene.body(n)) } : sample,
  );
}

/** The authorizer returns what the others have in their body. */
type Result = { statusCode?: number; body?: string };

/** Throws if a response is wrong, because only correct work may be timed. */
export function assertRight(scene: Scene, responses: readonly unknown[], first = 0): void {
  for (const [index, response] of responses.entries()) {
    const { statusCode = 200, body = JSON.stringify(response) } = response as Result;
    if (statusCode === 200 && scene.isRight(JSON.parse(body) as never, first + index)) continue;
    const shown = JSON.stringify(response).slice(0, 500);
    throw new Error(`${scene.what}: request ${first + index} got the response ${shown}`);
  }
}
