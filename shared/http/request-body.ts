import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type InexactNumber, maxInexact, scanJson } from '../runtime/json-scan.ts';
import { type Failure, fail } from './failures.ts';
import type { BodyLimit } from './operation.ts';

const gunzip = promisify(zlib.gunzip);

/** The body's text, gunzipped when it was sent with `content-encoding: gzip`, or why it cannot be read. */
export async function readText(
  event: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded' | 'headers'>,
  limit: BodyLimit,
): Promise<string | Failure<'REQUEST_INVALID' | 'BODY_TOO_LARGE'>> {
  const body = event.body ?? '';
  const sent = event.isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const bytes = Buffer.byteLength(sent);
  if (bytes > limit.receivedBytes) {
    return fail(
      'BODY_TOO_LARGE',
      `body: ${bytes} bytes sent, the limit is ${limit.receivedBytes}; gzip it or send less`,
    );
  }
  const encoding = (event.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return typeof sent === 'string' ? sent.toWellFormed() : decodeUtf8(sent);
  if (encoding !== 'gzip') {
    return fail(
      'REQUEST_INVALID',
      'content-encoding: only gzip is understood; send gzip or leave the header out',
    );
  }
  try {
    // The limit applies while it decompresses, so a bomb takes no more memory than a valid body.
    return decodeUtf8(await gunzip(sent, { maxOutputLength: limit.gunzippedBytes }));
  } catch (error) {
    if (error instanceof RangeError) {
      return fail('BODY_TOO_LARGE', `body: more than ${limit.gunzippedBytes} bytes once inflated; send less`);
    }
    return fail('REQUEST_INVALID', 'body: is not valid gzip, though content-encoding says so');
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): string | Failure<'REQUEST_INVALID'> {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return fail('REQUEST_INVALID', 'body: is not valid UTF-8');
  }
}

/**
 * 64 MB of brackets take gigabytes when parsed. One value for each eight bytes of the largest body is more than
 * any list of places has; elements nested less deep than this are refused one by one.
 */
const maxValues = 8_000_000;
const maxLevels = 100_000;

/** The parsed JSON of a text, and its numbers that JavaScript would write differently. */
export type ReadJson = { json: unknown; inexact: readonly InexactNumber[] };

export function readJson(text: string): ReadJson | Failure<'REQUEST_INVALID' | 'BODY_TOO_LARGE'> {
  if (text.trim() === '') return fail('REQUEST_INVALID', 'body: required, send JSON');
  const { values, levels, inexact } = scanJson(text);
  if (values > maxValues) return fail('BODY_TOO_LARGE', `body: ${values} values, the limit is ${maxValues}`);
  if (levels > maxLevels)
    return fail('REQUEST_INVALID', `body: nested ${levels} levels deep, the limit is ${maxLevels}`);
  if (inexact.length > maxInexact)
    return fail(
      'BODY_TOO_LARGE',
      `body: more than ${maxInexact} numbers with zeros or digits that a computer drops; send them without`,
    );
  try {
    return { json: JSON.parse(text), inexact };
  } catch (error) {
    return fail('REQUEST_INVALID', `body: is not valid JSON${positionIn(error)}`);
  }
}

/** V8 tells the position of the error; the rest of its message may quote the body. */
function positionIn(error: unknown): string {
  const position = error instanceof Error && /at position (\d+)/.exec(error.message)?.[1];
  return position ? ` (at position ${position})` : '';
}
