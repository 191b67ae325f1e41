/** A number that JavaScript would write differently: where it begins in the text, and its source text. */
export type InexactNumber = { at: number; source: string };

const [quote, backslash, comma, minus, zero, nine] = ['"', '\\', ',', '-', '0', '9'].map((sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number];
const opening = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));

/** At most this many are listed, because each takes more memory than other values, and every place has some. */
export const maxInexact = 1_000_000;

/**
 * Scans a JSON text before it is parsed, in one pass: counts its values (members and elements, one too many for each
 * empty object or array), measures its depth, and lists the numbers that `JSON.stringify(JSON.parse(…))` would change,
 * such as 1.10, 1e400 and 9223372036854775807. For a text that is not JSON the figures are only upper bounds for a
 * limit.
 */
export function scanJson(text: string): { values: number; levels: number; inexact: InexactNumber[] } {
  let values = 1;
  let level = 0;
  let levels = 0;
  const inexact: InexactNumber[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma) values += 1;
    else if (isDigit(sign) || sign === minus) {
      const end = endOfNumber(text, at);
      if (end - at > surelyExact || !isDigit(sign) || !isInteger(text, at, end)) {
        const source = text.slice(at, end);
        if (inexact.length <= maxInexact && isInexact(source)) inexact.push({ at, source });
      }
      at = end - 1;
    } else if (opening.has(sign)) {
      values += 1;
      level += 1;
      if (level > levels) levels = level;
    } else if (closing.has(sign)) level -= 1;
  }
  return { values, levels, inexact };
}

const beforeValue = new Set(['', '[', ':', ',']);
const startOfValue = /^(?:["[{\d-]|(?:true|false|null)$)/;

/**
 * The position at which a value is missing, in a text without an earlier error, or the text's length if none is
 * missing. `JSON.parse` tells the position of every other error.
 */
export function missingValueAt(text: string): number {
  const tokens = /["[\]{}:,]|[^ \t\n\r"[\]{}:,]+/g;
  let before = '';
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [sign] = token;
    const isEmptyArray = before === '[' && sign === ']';
    if (beforeValue.has(before) && !isEmptyArray && !startOfValue.test(sign)) return token.index;
    if (sign === '"') tokens.lastIndex = endOfString(text, token.index) + 1;
    before = sign;
  }
  return text.length;
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

/** Integers of up to this many digits are exact: most numbers need no closer look. */
const surelyExact = 15;

function isDigit(sign: number): boolean {
  return sign >= zero && sign <= nine;
}

const inNumbers = new Set([...'0123456789+-.eE'].map((sign) => sign.charCodeAt(0)));

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (inNumbers.has(text.charCodeAt(end))) end += 1;
  return end;
}

function isInteger(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}

/** Numbers from here on mark others while they are restored. One in the text is listed too, so that it is no mark. */
export const firstMark = 1e300;

function isInexact(source: string): boolean {
  const value = Number(source);
  return String(value) !== source || Math.abs(value) >= firstMark;
}
