import zlib from 'node:zlib';

export const { constants, gzipSync, gunzipSync } = zlib;

type Done = (error: unknown, result?: Buffer) => void;
type Given =
  | [data: Uint8Array | string, done: Done]
  | [data: Uint8Array | string, options: object, done: Done];

/** Does the work on this thread, because another thread would end at an unpredictable time. */
function onThisThread(work: (data: Uint8Array | string, options?: object) => Buffer) {
  return (...given: Given): void => {
    const [data, options, done] = given.length === 3 ? given : [given[0], undefined, given[1]];
    try {
      done(null, work(data, options));
    } catch (error) {
      done(error);
    }
  };
}

export const gzip = onThisThread(gzipSync);
export const gunzip = onThisThread(gunzipSync as typeof gzipSync);
