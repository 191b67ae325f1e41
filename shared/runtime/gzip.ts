import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

/** Bytes (of text: characters) up to which handing the work to another thread takes longer than the work. */
const small = 16_000;

/** How far what the service stores shrinks: lists of places and messages, about five times. */
const farthest = 5;

const gzipElsewhere = promisify(gzip);
const gunzipElsewhere = promisify(gunzip);

/** What is large is left to Node's own threads, off the event loop. */
export async function deflate(data: string): Promise<Buffer> {
  return data.length <= small ? gzipSync(data) : gzipElsewhere(data);
}

/** For what the service gzipped itself: there is no limit to what comes out. */
export async function inflate(data: Uint8Array): Promise<Buffer> {
  return data.length * farthest <= small ? gunzipSync(data) : gunzipElsewhere(data);
}
