export type Recipient = { msisdn: number; registered: boolean };

/** Recipients in one table row: 8 bytes each make 8 kB, eight write units for a thousand messages. */
export const recipientsPerPart = 1_000;

const bytesEach = 8;

/** Eight bytes a recipient, big-endian: the number (15 digits at most, 50 bits) times two, plus one if registered. */
export const packRecipients = (recipients: readonly Recipient[]): Uint8Array => {
  const packed = Buffer.alloc(recipients.length * bytesEach);
  for (const [n, { msisdn, registered }] of recipients.entries()) {
    packed.writeBigUInt64BE(BigInt(msisdn) * 2n + (registered ? 1n : 0n), n * bytesEach);
  }
  return packed;
};

export const recipientAt = (packed: Uint8Array, n: number): Recipient | undefined => {
  if ((n + 1) * bytesEach > packed.length) return undefined;
  const value = Buffer.from(packed.buffer, packed.byteOffset, packed.length).readBigUInt64BE(n * bytesEach);
  return { msisdn: Number(value >> 1n), registered: (value & 1n) === 1n };
};

export const unpackRecipients = (packed: Uint8Array): Recipient[] =>
  Array.from({ length: packed.length / bytesEach }, (_, n) => recipientAt(packed, n)).filter(
    (recipient) => recipient !== undefined,
  );
