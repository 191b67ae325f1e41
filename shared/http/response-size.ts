/**
 * A function's answer is 6 MiB at most, as the JSON in which the body is a string: what has quotes or
 * backslashes counts twice there. Some room is left for the headers and the rest of the body.
 */
export const maxResponseBytes = 5_900_000;

/** Bytes that a part of the body takes in the answer. */
function bytesInResponse(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(part))) - 2;
}

/** As many of the first parts as an answer holds. */
export function fitInResponse<Part>(parts: readonly Part[]): Part[] {
  let bytes = 0;
  const end = parts.findIndex((part) => {
    bytes += bytesInResponse(part) + 1;
    return bytes > maxResponseBytes;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}
