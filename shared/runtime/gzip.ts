import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Bytes (of text: characters) up to which handing the work to another thread takes longer than the work. */
const small = 16_000;

/** The highest ratio at which lists of places and messages compress. */
const highestRatio = 5;

const gzipOffThread = promisify(zlib.gzip);
const gunzipOffThread = promisify(zlib.gunzip);

/** Large data is compressed on Node's own threads, off the event loop. */
export async function gzip(data: string): Promise<Buffer> {
  return data.length <= small ? zlib.gzipSync(data) : gzipOffThread(data);
}

/** For data that the service gzipped itself: the output has no size limit. */
export async function gunzip(data: Uint8Array): Promise<Buffer> {
  return data.length * highestRatio <= small ? zlib.gunzipSync(data) : gunzipOffThread(data);
}
