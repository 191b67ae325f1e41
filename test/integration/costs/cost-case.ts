import { createHash } from 'node:crypto';
import type { Request } from '../../support/http.ts';
import type { TestTable } from '../../support/table.ts';

type MakeRequest = (table: TestTable) => Request | Promise<Request>;

/** The cost of a request, on an instance that has served none before. */
type Cost = {
  /**
   * The units of the table, 0 when left out. An instance that serves many requests of a partner writes one unit more, for
   * the counter of each budget that the request is taken from.
   */
  read?: number;
  write?: number;
  /** Why it may be fewer units than these; otherwise it is exactly these. */
  atMost?: string;
  /** The status of the response; 200 when left out. */
  status?: number;
  /** How many requests it counts as, once it turns out to be dear. */
  requests?: number;
  /** Whether it is taken from the budget of heavy requests once it turns out to be one. */
  isHeavy?: true;
  /** Its units are of many partitions. */
  isSpread?: true;
  /** A bound of its own, where more CPU than the common one is in order, and why it is. */
  cpu?: { ms: number; because: string };
  /** Its log line has these fields and metrics, if others than those of the operation in logged-fields.json. */
  logs?: string;
};

/**
 * A request that costs an operation the most, and what it costs. `what` is the rest of a title that begins with the
 * operation. `request` may be called several times; only its result is measured.
 */
export function worst(what: string, { read = 0, write = 0, ...others }: Cost, request: MakeRequest) {
  return { ...others, worst: what, units: { read, write }, request };
}

export type CostCase = ReturnType<typeof worst>;

/** Makes the same request each time, after something was prepared. */
export function after(prepare: (table: TestTable) => Promise<unknown>, request: Request = {}): MakeRequest {
  return async (table) => {
    await prepare(table);
    return request;
  };
}

/** The worst cases of operations, by their ids. */
export type CostCases = Readonly<Record<string, readonly CostCase[]>>;

/** A reason why there may be fewer units. */
export const gzipVaries =
  'gzipped text takes a few bytes more or less, by its random ids and by the processor';

/** Text that gzip makes only a quarter smaller: the same for the same seed. */
export function noise(characters: number, seed: string | number): string {
  const hash = createHash('shake256', { outputLength: Math.ceil((characters * 3) / 4) });
  return hash.update(String(seed)).digest('base64url').slice(0, characters);
}

/** The largest body of most operations, gunzipped. */
const smallBodyBytes = 256_000;

/** The body with a member more, which makes it as many bytes long. The member is unknown, so it has no effect. */
export function padded(body: object, bytes = smallBodyBytes): string {
  const own = Buffer.byteLength(JSON.stringify({ ...body, zz: [''] }));
  const texts = Array.from({ length: Math.floor((bytes - own) / 13) }, () => 'x'.repeat(10));
  return JSON.stringify({ ...body, zz: texts });
}

/** Numbers from 0 on. */
export function count(length: number): number[] {
  return Array.from({ length }, (_, n) => n);
}

/** Makes something once, at the first call: the cases of a file share what they find in the table. */
export function once<Made>(make: (table: TestTable) => Promise<Made>): (table: TestTable) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return (table) => {
    made ??= make(table);
    return made;
  };
}
