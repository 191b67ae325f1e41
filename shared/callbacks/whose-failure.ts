import type { AttemptError } from './attempt.ts';

/** Everything that can stop a callback: a failed attempt, a message nobody can read, an exception of our own. */
export type Trouble = AttemptError | 'unreadable' | 'exception';

/**
 * Decides what becomes of the message: a partner's failure is recorded, scheduled and acknowledged; ours goes
 * back to the queue (so the dead-letter queue only ever means us); poison is parked with its reason.
 */
export function classifyFailure(trouble: Trouble): 'partner' | 'ours' | 'poison' {
  return verdict[trouble];
}

const verdict = {
  refused: 'partner',
  dns: 'partner',
  connect: 'partner',
  tls: 'partner',
  timeout: 'partner',
  response: 'partner',
  status: 'partner',
  local: 'ours',
  exception: 'ours',
  unreadable: 'poison',
} as const satisfies Record<Trouble, 'partner' | 'ours' | 'poison'>;
