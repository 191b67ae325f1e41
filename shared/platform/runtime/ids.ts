import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** The only source of randomness. */
export type Ids = {
  uuid: () => string;
  /** A UUID of version 7: these sort by their times, to the millisecond. */
  uuidAt: (atMs: number) => string;
  /** `byteCount` random bytes in base64url: 32 bytes are 43 characters. */
  token: (byteCount: number) => string;
};

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  uuidAt: (atMs) => withTime(systemIds.uuid(), atMs),
  token: (byteCount) => randomBytes(byteCount).toString('base64url'),
};

/** The UUID of version 7 that has the random bits of this one. */
export function withTime(uuid: string, atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`;
}

/** The same UUID for the same text, in the form of a random one. */
export function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
