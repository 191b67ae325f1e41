/**
 * An address as it is compared: its letters and digits without case and accents (ё is е), whatever stands between them.
 * Only numbers stay apart, so that "1, 12" is not "11, 2".
 */
export function normalAddress(address: string): string {
  // Marks go before and after they are taken apart: putting a thousand of them in order would take long.
  const bare = address.toLowerCase().replaceAll(/\p{M}+/gu, '');
  const letters = bare.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC');
  return letters.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').replaceAll(/(?<!\d) | (?!\d)/g, '');
}
