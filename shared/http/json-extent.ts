const [quote, backslash, comma] = ['"', '\\', ','].map((sign) => sign.charCodeAt(0));
const opening = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));

/**
 * How much a JSON text would take when parsed, in one pass and without memory: its values (members and elements,
 * one too many for each empty object or array) and how deep they are nested. For a text that is not JSON the
 * numbers have no meaning beyond this limit.
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

/** Where the string that begins at `start` ends: a quote behind an odd number of backslashes belongs to it. */
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
