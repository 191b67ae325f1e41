const [quote, backslash, comma] = ['"', '\\', ','].map((sign) => sign.charCodeAt(0));
const opening = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));

/**
 * How large a JSON text would be when parsed, in one pass and without allocating: its number of values (members
 * and elements, one too many for each empty object or array) and its depth. For a text that is not JSON the
 * numbers are only good for a limit.
 */
export function extentOf(text: string): { values: number; levels: number } {
  let values = 1;
  let level = 0;
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma) values += 1;
    else if (opening.has(sign)) {
      values += 1;
      level += 1;
      if (level > levels) levels = level;
    } else if (closing.has(sign)) level -= 1;
  }
  return { values, levels };
}

/** The end of the string that begins at `start`: a quote after an odd number of backslashes is part of it. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}
