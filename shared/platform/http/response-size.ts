/**
 * A function's response is 6 MiB at most, as JSON in which the body is a string: quotes and backslashes of the
 * body count twice. Some room is left for the headers and the rest of the body.
 */
export const maxResponseBytes = 5_900_000;

/** Whether a body fits into a response. */
export function fitsInResponse(body: string): boolean {
  return Buffer.byteLength(JSON.stringify(body)) <= maxResponseBytes;
}

/** The JSON texts of the first parts, as many as fit into a response with `otherBytes` of something else. */
export function fitInResponse<Part>(
  parts: readonly Part[],
  textOf: (part: Part) => string,
  otherBytes = 0,
): string[] {
  const texts: string[] = [];
  let bytes = otherBytes;
  for (const part of parts) {
    const text = textOf(part);
    // A part with its comma, without the quotes around the text.
    bytes += Buffer.byteLength(JSON.stringify(text)) - 1;
    if (bytes > maxResponseBytes) break;
    texts.push(text);
  }
  return texts;
}
