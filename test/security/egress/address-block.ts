/** Returns the first, middle and last address of a block as text, or the only address of a block of one. */
export function edgesOf(cidr: string): string[] {
  const [network = '', prefix = ''] = cidr.split('/');
  const family = network.includes(':') ? ipv6 : ipv4;
  const first = family.read(network);
  const size = 1n << BigInt(family.bits - Number(prefix));
  return [...new Set([first, first + size / 2n, first + size - 1n])].map(family.write);
}

type Family = { bits: number; read: (address: string) => bigint; write: (value: bigint) => string };

function ofParts(parts: readonly bigint[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | part, 0n);
}

function partsOf(value: bigint, { bits, count }: { bits: bigint; count: number }): bigint[] {
  return Array.from(
    { length: count },
    (_, n) => (value >> (bits * BigInt(count - 1 - n))) & ((1n << bits) - 1n),
  );
}

const ipv4: Family = {
  bits: 32,
  read: (address) => ofParts(address.split('.').map(BigInt), 8n),
  write: (value) => partsOf(value, { bits: 8n, count: 4 }).join('.'),
};

function groupsOf(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}

const ipv6: Family = {
  bits: 128,
  read: (address) => {
    const [before = '', after = ''] = address.split('::');
    const head = groupsOf(before);
    const tail = groupsOf(after);
    const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0n);
    return ofParts([...head, ...zeros, ...tail], 16n);
  },
  write: (value) =>
    partsOf(value, { bits: 16n, count: 8 })
      .map((group) => group.toString(16))
      .join(':'),
};
