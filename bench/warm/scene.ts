import { readFileSync } from 'node:fs';
import type { Table } from '../../shared/table/table.ts';

/** What a request has that its sample event has not. */
export interface Change {
  readonly body?: unknown;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One function in one situation. */
export interface Scene {
  readonly what: string;
  readonly functionId: string;
  /** Left out for what is no HTTP request, or is measured only to be known: lists of hundreds. */
  readonly hasBudget: boolean;
  /** Elements of the list that it is about, where the same is measured with more and with fewer. */
  readonly size?: number;
  /** What is in the table besides the two partners of the samples. */
  readonly seed?: (table: Table) => Promise<void>;
  /** Request number `n` of a batch; left out: the sample as it is. */
  readonly request?: (n: number) => Change;
  /** Whether the parsed body (of the authorizer, the answer) is what it must be. */
  readonly isRight: (response: never, n: number) => boolean;
}

export const offerId = 'bars-of-moscow';
export const partnerId = 'bars';

/** Invocations between two looks at the clock. */
export const batchSize = 25;

export function eventsOf({ functionId, request }: Scene): object[] {
  const sample = JSON.parse(readFileSync(`events/${functionId}.json`, 'utf8')) as { headers: object };
  return Array.from({ length: batchSize }, (_, n) => {
    const { body, headers, ...change } = request?.(n) ?? {};
    return {
      ...sample,
      ...change,
      headers: { ...sample.headers, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  });
}

function bodyOf(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || !('statusCode' in response)) return response;
  const { statusCode, body } = response as { statusCode: number; body: string };
  if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${body}`);
  return JSON.parse(body);
}

/** What is timed must be right. */
export function assertRight(scene: Scene, responses: readonly unknown[]): void {
  for (const [n, response] of responses.entries()) {
    try {
      if (scene.isRight(bodyOf(response) as never, n)) continue;
    } catch (error) {
      throw new Error(`${scene.what}: request ${n} ${error instanceof Error ? error.message : error}`);
    }
    throw new Error(`${scene.what}: request ${n} was answered ${JSON.stringify(response).slice(0, 500)}`);
  }
}
