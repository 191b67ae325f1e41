export type Recipient = { msisdn: number; registered: boolean };

/** Recipients in one table row: 8 bytes each make 8 kB, eight write units for a thousand messages. */
export const recipientsPerPart = 1_000;

const bytesEach = 8;

/** A recipient takes eight bytes, big-endian: its number (at most 50 bits) times two, plus one if it is registered. */
export function packRecipients(recipients: readonly Recipient[]): Uint8Array {
  const packed = Buffer.alloc(recipients.length * bytesEach);
  for (const [n, { msisdn, registered }] of recipients.entries()) {
    packed.writeBigUInt64BE(BigInt(msisdn) * 2n + (registered ? 1n : 0n), n * bytesEach);
  }
  return packed;
}

/** Stands for an erased number, because no phone number is 0. The other recipients keep their positions. */
export const erasedNumber = 0;
const erased: Recipient = { msisdn: erasedNumber, registered: false };

export function isErased({ msisdn }: Recipient): boolean {
  return msisdn === erasedNumber;
}

function readRecipient(packed: Uint8Array, n: number): Recipient {
  const value = Buffer.from(packed.buffer, packed.byteOffset, packed.length).readBigUInt64BE(n * bytesEach);
  return { msisdn: Number(value >> 1n), registered: (value & 1n) === 1n };
}

function countRecipients(packed: Uint8Array): number {
  return Math.floor(packed.length / bytesEach);
}

/** The recipient at the position; `undefined` after the end, and for an erased number. */
export function recipientAt(packed: Uint8Array, n: number): Recipient | undefined {
  if (n >= countRecipients(packed)) return undefined;
  const recipient = readRecipient(packed, n);
  return isErased(recipient) ? undefined : recipient;
}

/** All recipients by position. An erased one is not registered, so nothing is sent to it. */
export function unpackRecipients(packed: Uint8Array): Recipient[] {
  return Array.from({ length: countRecipients(packed) }, (_, n) => readRecipient(packed, n));
}

export function containsErased(packed: Uint8Array): boolean {
  return unpackRecipients(packed).some(isErased);
}

/** The recipients with the number erased, and the positions where it was. */
export function eraseNumber(packed: Uint8Array, msisdn: number): { packed: Uint8Array; positions: number[] } {
  const recipients = unpackRecipients(packed);
  const positions = recipients.flatMap((recipient, n) => (recipient.msisdn === msisdn ? [n] : []));
  return {
    packed: packRecipients(recipients.map((recipient) => (recipient.msisdn === msisdn ? erased : recipient))),
    positions,
  };
}
