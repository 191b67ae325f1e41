import type { AttemptError } from './attempt.ts';

/** What can stop a callback: a failed attempt, a message that cannot be read, an exception. */
export type Trouble = AttemptError | 'unreadable' | 'exception';

/**
 * Decides what happens to the message: a partner's failure is recorded, scheduled and acknowledged; ours returns
 * to the queue (so a message in the dead-letter queue is always our failure); poison is parked with its reason.
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
