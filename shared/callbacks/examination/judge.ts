import type { AttemptResult } from '../../platform/egress/attempt-result.ts';
import { attemptSentences } from '../attempt-sentences.ts';
import type { Check } from './checks.ts';
import { type CheckName, meanings } from './meanings.ts';

/** Longer than the 2 s on average from which the slow lane calls an endpoint, because four checks run at once. */
const slowMs = 5_000;
const tooManyRequests = 429;

type Verdict = 'PASSED' | 'FAILED' | 'ADVICE' | 'SKIPPED';

export type Judged = {
  check: CheckName;
  expected: '2xx' | '4xx';
  httpStatus?: number | undefined;
  durationMs?: number;
  verdict: Verdict;
  meaning: string;
};

/** Why a check has no result. */
const skippedBecause = {
  'no time': 'not sent, or without a response, because the 25 s of an examination were over',
  'not valid': 'not sent, because VALID failed: change that first',
  local: 'we could not make the request: examine again',
} as const;

export function skipped({ check }: Check, because: keyof typeof skippedBecause): Judged {
  const { sent, expected } = meanings[check];
  return { check, expected, verdict: 'SKIPPED', meaning: `${sent}: ${skippedBecause[because]}.` };
}

/** Judges the results of a check's requests. The one shown is the first that was not as expected, or the slowest. */
export function judge(
  { check }: Pick<Check, 'check'>,
  results: readonly [AttemptResult, ...AttemptResult[]],
): Judged {
  const { sent, expected, change } = meanings[check];
  const wrong = results.find((result) => !isExpected(result, expected));
  const shown =
    wrong ?? results.reduce((slowest, one) => (one.durationMs > slowest.durationMs ? one : slowest));
  const judged = (verdict: Verdict, what: string): Judged => ({
    check,
    expected,
    httpStatus: shown.httpStatus,
    durationMs: shown.durationMs,
    verdict,
    meaning: `${sent}: ${what}.`,
  });
  if (wrong) {
    const isErrorInstead = expected === '4xx' && (wrong.httpStatus ?? 0) >= 500;
    if (isErrorInstead)
      return judged(
        'ADVICE',
        `refused by a ${wrong.httpStatus}, which reads as a failure of yours; respond 4xx`,
      );
    return judged(check === 'UNKNOWN_MEMBER' ? 'ADVICE' : 'FAILED', problemOf(wrong, change));
  }
  if (shown.durationMs > slowMs)
    return judged('ADVICE', 'as expected, but after more than 5 s; respond first, and process afterwards');
  return judged('PASSED', expected === '2xx' ? 'taken' : 'refused');
}

function isExpected({ httpStatus = 0 }: AttemptResult, expected: Judged['expected']): boolean {
  // A receiver that is called too often would have refused a genuine callback too.
  return httpStatus !== tooManyRequests && `${Math.floor(httpStatus / 100)}xx` === expected;
}

/** What came back, and what to change: that depends on the check only if the receiver has judged the request. */
function problemOf(result: AttemptResult, change: string): string {
  if (result.ok) return `taken; ${change}`;
  if (result.error !== 'status') return attemptSentences[result.error];
  const { httpStatus = 0 } = result;
  const isRedirect = httpStatus >= 300 && httpStatus < 400;
  if (isRedirect)
    return `the response was ${httpStatus}; redirects are not followed, set the address they lead to`;
  if (httpStatus === tooManyRequests)
    return 'the response was 429; set maxPerSecond to what your receiver takes, and examine again';
  return `the response was ${httpStatus}; ${change}`;
}
