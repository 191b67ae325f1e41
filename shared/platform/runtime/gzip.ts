import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Below this size (bytes, or characters of a text), compress on the main thread: handing it to the pool costs more. */
const small = 16_000;

/** The highest ratio at which lists of places and messages compress. */
const maxRatio = 5;

const gzipOffThread = promisify(zlib.gzip);
const gunzipOffThread = promisify(zlib.gunzip);

/** A level for data that is stored briefly: two thirds of the usual CPU for a list, and a tenth more bytes. */
export const fastest = { level: zlib.constants.Z_BEST_SPEED };

/** Large data is compressed on another thread, off the event loop. */
export async function gzip(data: string | Uint8Array, options?: typeof fastest): Promise<Buffer> {
  return data.length <= small ? zlib.gzipSync(data, options) : gzipOffThread(data, options ?? {});
}

/** Only for data that the service gzipped, or has gunzipped before: the output has no size limit. */
export async function gunzip(data: Uint8Array): Promise<Buffer> {
  return data.length * maxRatio <= small ? zlib.gunzipSync(data) : gunzipOffThread(data);
}
