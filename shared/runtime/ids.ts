import { randomBytes, randomUUID } from 'node:crypto';

/** The only source of chance. */
export type Ids = {
  uuid: () => string;
  /** `byteCount` random bytes in base64url: 32 bytes are 43 characters. */
  token: (byteCount: number) => string;
};

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  token: (byteCount) => randomBytes(byteCount).toString('base64url'),
};
