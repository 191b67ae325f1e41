import type { IncomingMessage } from 'node:http';

/** The gateway takes 10 MB. A body that does not fit into a Lambda event is refused later. */
const maxBodyBytes = 10 * 1024 * 1024;

/** A client reads no response while it sends, so the rest of a large body is read and dropped, up to this limit. */
const maxDroppedBytes = 128 * 1024 * 1024;

/** Reads the body. Resolves to `too-large` or, if the client disconnected, to `gone`. */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'gone'> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else chunks = [];
      if (size > maxDroppedBytes) resolve('too-large');
    });
    request.on('end', () => resolve(size > maxBodyBytes ? 'too-large' : Buffer.concat(chunks)));
    request.on('error', () => resolve('gone'));
    request.on('close', () => resolve('gone'));
  });
}
