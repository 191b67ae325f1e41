import { gunzipSync, gzipSync } from 'node:zlib';

/** On this thread: another one would end when it likes. */
export async function gzip(data: string): Promise<Buffer> {
  return gzipSync(data);
}

export async function gunzip(data: Uint8Array): Promise<Buffer> {
  return gunzipSync(data);
}
