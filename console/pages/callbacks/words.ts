import type { Answer } from '../../api/operations.ts';
import { count } from '../../parts/count.ts';

type Listed = Answer<'GET /callbacks'>['callbacks'][number];
type Attempt = Listed['attempts'][number];

const failures: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  refused: 'address not allowed',
  dns: 'name not found',
  connect: 'no connection',
  tls: 'no secure connection',
  timeout: 'no answer in time',
  response: 'no answer in HTTP',
  status: 'refused',
  local: 'not sent, through a fault of this service',
};

/** How the endpoint answered: `HTTP 200`, `HTTP 503, refused`, `no connection`. */
export function answerOf({ httpStatus, error }: Pick<Attempt, 'httpStatus' | 'error'>): string {
  const status = httpStatus === undefined ? [] : [`HTTP ${httpStatus}`];
  return [...status, ...(error ? [failures[error]] : [])].join(', ');
}

export function replaySentence({ replayed, more }: Answer<'POST /callbacks/replay'>): string {
  if (replayed === 0) return 'Nothing to replay: no such callback is kept, or all are under way.';
  const many = replayed === 1 ? '1 callback is' : `${count(replayed)} callbacks are`;
  return `${many} sent again.${more ? ' There are more: replay the rest.' : ''}`;
}
