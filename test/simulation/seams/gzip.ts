import { constants, gunzipSync, gzipSync } from 'node:zlib';

export const fastest = { level: constants.Z_BEST_SPEED };

/** On this thread: another one would end when it likes. */
export async function gzip(data: string | Uint8Array, options?: typeof fastest): Promise<Buffer> {
  return gzipSync(data, options);
}

export async function gunzip(data: Uint8Array): Promise<Buffer> {
  return gunzipSync(data);
}
