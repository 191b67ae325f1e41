/**
 * A function's answer is 6 MiB at most, as the JSON in which the body is a string: what has quotes or
 * backslashes counts twice there. Some room is left for the headers and the rest of the body.
 */
export const maxAnswerBytes = 5_900_000;

/** Bytes that a part of the body takes in the answer. */
export function bytesInAnswer(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(part))) - 2;
}

/** As many of the first parts as an answer holds. */
export function fittingAnswer<Part>(parts: readonly Part[]): Part[] {
  let bytes = 0;
  const end = parts.findIndex((part) => {
    bytes += bytesInAnswer(part) + 1;
    return bytes > maxAnswerBytes;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}
