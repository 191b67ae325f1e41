import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Failure, fail } from './failures.ts';
import { extentOf } from './json-extent.ts';
import type { BodyLimit } from './operation.ts';

const gunzip = promisify(zlib.gunzip);

/** The body's text, gunzipped when it was sent with `content-encoding: gzip`, or the sentence why not. */
export async function readText(
  event: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded' | 'headers'>,
  limit: BodyLimit,
): Promise<string | Failure<'REQUEST_INVALID' | 'BODY_TOO_LARGE'>> {
  const sent = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (sent.length > limit.receivedBytes) {
    return fail(
      'BODY_TOO_LARGE',
      `body: ${sent.length} bytes sent, the limit is ${limit.receivedBytes}; gzip it or send less`,
    );
  }
  const encoding = (event.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return decodeUtf8(sent);
  if (encoding !== 'gzip') {
    return fail(
      'REQUEST_INVALID',
      'content-encoding: only gzip is understood; send gzip or leave the header out',
    );
  }
  try {
    // The bound is kept while inflating, so a bomb costs no more memory than an honest body.
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
 * Parsed, 64 MB of brackets take gigabytes. A value for each eight bytes of the largest list is more than any
 * list of places has; elements nested this deep are still refused one by one.
 */
const mostValues = 8_000_000;
const mostLevels = 100_000;

/** The parsed JSON of a text; an object so that a body of `null` is not mistaken for a failure. */
export function readJson(text: string): { json: unknown } | Failure<'REQUEST_INVALID' | 'BODY_TOO_LARGE'> {
  if (text.trim() === '') return fail('REQUEST_INVALID', 'body: required, send JSON');
  const { values, levels } = extentOf(text);
  if (values > mostValues)
    return fail('BODY_TOO_LARGE', `body: ${values} values, the limit is ${mostValues}`);
  if (levels > mostLevels)
    return fail('REQUEST_INVALID', `body: nested ${levels} levels deep, the limit is ${mostLevels}`);
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return fail('REQUEST_INVALID', `body: is not valid JSON${positionIn(error)}`);
  }
}

/** V8 says where in the text the JSON breaks; the rest of its message may quote the body. */
function positionIn(error: unknown): string {
  const position = error instanceof Error && /at position (\d+)/.exec(error.message)?.[1];
  return position ? ` (at position ${position})` : '';
}
