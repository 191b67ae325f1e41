/**
 * A function's response is 6 MiB at most, as JSON in which the body is a string: quotes and backslashes of the
 * body count twice. Some room is left for the headers and the rest of the body.
 */
export const maxResponseBytes = 5_900_000;

/** The first parts, as many as fit into a response. */
export function fitInResponse<Part>(parts: readonly Part[]): Part[] {
  let bytes = 0;
  const end = parts.findIndex((part) => {
    // A part with its comma, without the quotes around the text.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(part))) - 1;
    return bytes > maxResponseBytes;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}
