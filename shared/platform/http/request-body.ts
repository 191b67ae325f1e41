import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type InexactNumber, maxInexact, missingValueAt, scanJson } from '../json/scan.ts';
import { type Failure, fail, isFailure } from './failures.ts';

const gunzip = promisify(zlib.gunzip);

/** Without `receivedBytes`, only the limits of the gateway and of Lambda apply. A larger body is `BODY_TOO_LARGE`, or `failure`. */
export type BodyLimit = { receivedBytes?: number; gunzippedBytes: number; failure?: 'BATCH_SIZE_EXCEEDED' };

export const smallBody: BodyLimit = { receivedBytes: 64_000, gunzippedBytes: 256_000 };

/** The size limit of a body that the gateway passes on as base64, such as a gzipped one. */
const maxBinaryBytes = 4_700_000;

/**
 * Lambda takes events of 6,291,456 bytes. A body is base64 in them, or a JSON string in which its quotes, backslashes
 * and line breaks are escaped; the rest is for the headers (10 kB at most) and for what the gateway and the authorizer
 * add.
 */
const maxBodyInEvent = Math.ceil(maxBinaryBytes / 3) * 4;

/** The size limit of a plain JSON body whose every character must be escaped. Others may be twice as large. */
const surelyFittingBytes = 3_000_000;

type BodyFailure = 'REQUEST_INVALID' | 'BODY_TOO_LARGE' | 'BATCH_SIZE_EXCEEDED' | 'CHARSET_UNSUPPORTED';

/** A body: its text, how many bytes were sent, and these bytes where they are the text gzipped. */
export type SentBody = { text: string; sentBytes: number; gzipped?: Buffer };

/** Reads the body, which is gunzipped when it was sent with `content-encoding: gzip`, or returns why it cannot be read. */
export async function readBody(
  event: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded' | 'headers'>,
  limit: BodyLimit,
): Promise<SentBody | Failure<BodyFailure>> {
  const charset = charsetOf(event.headers['content-type']);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return fail('CHARSET_UNSUPPORTED', `content-type: the charset ${charset} is not supported, send UTF-8`);
  }
  const body = event.body ?? '';
  const sent = event.isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const { failure = 'BODY_TOO_LARGE' } = limit;
  const tooLarge = sizeIssue(sent, limit);
  if (tooLarge !== undefined) return fail(failure, tooLarge);
  const encoding = (event.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' && isGzip(sent))
    return fail(
      'REQUEST_INVALID',
      'body: is gzipped; send content-encoding: gzip, and content-type: application/octet-stream',
    );
  if (encoding === 'identity')
    return typeof sent === 'string'
      ? { text: sent.toWellFormed().replace(byteOrderMark, ''), sentBytes: Buffer.byteLength(sent) }
      : decodeUtf8(sent);
  if (encoding !== 'gzip') {
    return fail(
      'REQUEST_INVALID',
      'content-encoding: only gzip is understood; send gzip or leave the header out',
    );
  }
  try {
    // The limit applies while it decompresses, so a bomb takes no more memory than a valid body.
    const body = decodeUtf8(await gunzip(sent, { maxOutputLength: limit.gunzippedBytes }));
    return isFailure(body) ? body : { ...body, sentBytes: sent.length, gzipped: Buffer.from(sent) };
  } catch (error) {
    if (error instanceof RangeError) {
      return fail(failure, `body: more than ${limit.gunzippedBytes} bytes once gunzipped; send less`);
    }
    return fail('REQUEST_INVALID', 'body: is not valid gzip; gzip it, or leave content-encoding out');
  }
}

/** Whether the body begins as gzip does, or as a gateway writes it that takes it for text. */
function isGzip(sent: string | Buffer): boolean {
  return typeof sent === 'string' ? sent.startsWith('\u001f\ufffd') : sent[0] === 0x1f && sent[1] === 0x8b;
}

/** `application/json; charset="Windows-1251"` -> `windows-1251` */
function charsetOf(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function sizeIssue(sent: string | Buffer, { receivedBytes = maxBinaryBytes }: BodyLimit): string | undefined {
  const bytes = Buffer.byteLength(sent);
  const advice = 'gzip it or send less';
  if (typeof sent !== 'string' || receivedBytes < surelyFittingBytes) {
    const sentence = `body: ${bytes} bytes sent, the limit is ${receivedBytes}; ${advice}`;
    return bytes > receivedBytes ? sentence : undefined;
  }
  if (bytes <= surelyFittingBytes) return undefined;
  const escapedBytes = Buffer.byteLength(JSON.stringify(sent));
  const sentence = `body: ${bytes} bytes sent, ${escapedBytes} with its quotes escaped, of which ${maxBodyInEvent} fit; ${advice}`;
  return escapedBytes > maxBodyInEvent ? sentence : undefined;
}

/** Some editors and languages write it at the start of a text. It is not part of the JSON. */
const byteOrderMark = /^\ufeff/;

/** Skips a byte order mark. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): SentBody | Failure<'REQUEST_INVALID'> {
  try {
    return { text: strictUtf8.decode(bytes), sentBytes: bytes.length };
  } catch {
    return notUtf8;
  }
}

const notUtf8 = fail('REQUEST_INVALID', 'body: is not valid UTF-8; send UTF-8');

/** A gateway that takes UTF-16 for text makes U+FFFD of its mark, and every other character is NUL. */
const utf16 = /^\ufffd|^.?\0/s;

/**
 * 64 MB of brackets take gigabytes when parsed. One value for each eight bytes of the largest body is more than
 * any list of places has; elements nested less deep than this are refused one by one.
 */
const maxValues = 8_000_000;
const maxLevels = 100_000;

/** The parsed JSON of a text, and its numbers that JavaScript would write differently. */
export type ReadJson = { json: unknown; inexact: readonly InexactNumber[] };

export function readJson(
  text: string,
  failure: NonNullable<BodyLimit['failure']> | 'BODY_TOO_LARGE' = 'BODY_TOO_LARGE',
): ReadJson | Failure<BodyFailure> {
  if (text.trim() === '') return fail('REQUEST_INVALID', 'body: required, send JSON');
  const { values, levels, inexact } = scanJson(text);
  if (values > maxValues)
    return fail(failure, `body: ${values} values, the limit is ${maxValues}; send less`);
  if (levels > maxLevels)
    return fail(
      'REQUEST_INVALID',
      `body: nested ${levels} levels deep, the limit is ${maxLevels}; nest it less`,
    );
  if (inexact.length > maxInexact)
    return fail(
      failure,
      `body: more than ${maxInexact} numbers such as 1.10 or 1e3; send them in their shortest form, as 1.1 and 1000`,
    );
  try {
    return { json: JSON.parse(text), inexact };
  } catch (error) {
    if (utf16.test(text)) return notUtf8;
    return fail('REQUEST_INVALID', `body: is not valid JSON${whereIn(text, error)}`);
  }
}

/** Characters before and after the position of an error that its sentence quotes. */
const quotedBefore = 10;
const quotedAfter = 5;

/**
 * Where the error is, and what stands there, for the sender alone: logs have no sentences of errors. V8 ends its message
 * with the position, unless it quotes the body instead.
 */
function whereIn(text: string, error: unknown): string {
  const told = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(String(error))?.[1];
  const position = told === undefined ? missingValueAt(text) : Number(told);
  // JSON has four kinds of white space. After any other, which trimEnd() removes too, the error is not at the end.
  const isAtEnd = /^[ \t\r\n]*$/.test(text.slice(position));
  const from = Math.max(0, position - quotedBefore);
  const quote = text.slice(from, position + quotedAfter).toWellFormed();
  const shown = `${from > 0 ? '...' : ''}${quote}`;
  return isAtEnd
    ? `, it ends too early (at position ${text.length}, after ${shown})`
    : ` (at position ${position}, in ${shown})`;
}
