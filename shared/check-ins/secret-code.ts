import { createHmac } from 'node:crypto';

/** Codes have 4 digits. */
const codeCount = 10_000;

const half = 100;
const rounds = 4;

/**
 * The secret code of check-in `number`, '0000' to '9999': a shuffle of the codes that only the holder of
 * `shuffleKey` can foresee, dealt in order. Any 10,000 numbers in a row have 10,000 different codes, which is
 * what makes two check-ins opened at the same moment unable to meet in one code.
 *
 * The shuffle is a Feistel network over 100 x 100 with HMAC-SHA256 as round function.
 */
export function secretCodeOf(checkinNumber: number, shuffleKey: string): string {
  let left = Math.floor((checkinNumber % codeCount) / half);
  let right = checkinNumber % half;
  for (let round = 0; round < rounds; round++) {
    const mixed = createHmac('sha256', shuffleKey).update(`${round}:${right}`).digest().readUInt32BE(0);
    const nextRight = (left + mixed) % half;
    left = right;
    right = nextRight;
  }
  return String(left * half + right).padStart(4, '0');
}
