/**
 * An address as it is compared: its letters and digits without case and accents (ё is е), whatever stands between them.
 * Only numbers stay apart, so that "1, 12" is not "11, 2".
 */
export function normalAddress(address: string): string {
  const letters = address.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC');
  return letters.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').replaceAll(/(?<!\d) | (?!\d)/g, '');
}
