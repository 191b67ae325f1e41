/** Addresses have at most 1,000 characters, and lists 100,000 addresses: the buffer and the table spare their objects. */
const maxCharacters = 1_000;
const buffer = new Uint32Array(maxCharacters);
/** What each character becomes, plus 1; 0 where it has not been asked for. Memory is taken only for what is used. */
const folded = new Uint32Array(0x110000);
const gap = 0x20;

export function measureAddress(address: string): { hash: number; letters: number } {
  const length = fillBuffer(address);
  let hash = 0;
  let letters = 0;
  for (let at = 0; at < length; at++) {
    const character = buffer[at] ?? 0;
    hash = (Math.imul(hash, 31) + character) | 0;
    if (character !== gap) letters += 1;
  }
  return { hash, letters };
}

/**
 * An address as it is compared: its letters and digits without case and accents (ё is е), whatever stands between them.
 * Only numbers stay apart, so that "1, 12" is not "11, 2".
 */
export function normalAddress(address: string): string {
  return String.fromCodePoint(...buffer.subarray(0, fillBuffer(address)));
}

function fillBuffer(address: string): number {
  let length = 0;
  let isApart = false;
  for (let at = 0; at < address.length && length < maxCharacters; at++) {
    const character = address.codePointAt(at) ?? 0;
    if (character > 0xffff) at += 1;
    const becomes = foldedCharacter(character);
    if (becomes === 0) {
      isApart = true;
      continue;
    }
    if (isApart && length > 0 && isDigit(becomes) && isDigit(buffer[length - 1] ?? 0)) buffer[length++] = gap;
    buffer[length++] = becomes;
    isApart = false;
  }
  return length;
}

function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

/** 0 for a character that is neither letter nor digit. */
function foldedCharacter(character: number): number {
  const known = folded[character] ?? 0;
  if (known > 0) return known - 1;
  const becomes = fold(String.fromCodePoint(character));
  folded[character] = becomes + 1;
  return becomes;
}

function fold(character: string): number {
  if (!/[\p{L}\p{N}]/u.test(character)) return 0;
  const [base = '', ...marks] = character.toLowerCase().normalize('NFKD');
  const kept = marks.every((mark) => /\p{M}/u.test(mark)) ? base : character;
  return kept.codePointAt(0) ?? 0;
}
