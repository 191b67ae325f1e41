import { createHmac } from 'node:crypto';

/** Codes have 4 digits. */
const codeCount = 10_000;

const half = 100;
const rounds = 4;

/**
 * The secret code of check-in `number`, '0000' to '9999': the codes in an order that only `shuffleKey` determines.
 * Any 10,000 consecutive numbers have 10,000 different codes, so two check-ins opened at the same moment cannot
 * get the same code. The permutation is a Feistel network over 100 x 100 with HMAC-SHA256 as round function.
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
