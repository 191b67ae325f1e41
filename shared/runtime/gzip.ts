import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Off the event loop, on Node's own threads. */
export const deflate = promisify(gzip);
export const inflate = promisify(gunzip);
