const keptCharacters = 300;

/**
 * How the body of a response begins, if it is text in the charset that it declares (UTF-8 if it declares none);
 * `undefined` for everything else. `bytes` may end within a character.
 */
export function responseText(bytes: Buffer, contentType = ''): string | undefined {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true }).trim();
    // Apart from white space, control characters mean that this is compressed or binary.
    if (text === '' || /[^\P{Cc}\s]/u.test(text)) return undefined;
    // Spread by characters, so that none is cut in two.
    return [...text.slice(0, 2 * keptCharacters)].slice(0, keptCharacters).join('');
  } catch {
    return undefined;
  }
}
