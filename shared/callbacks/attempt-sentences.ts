import type { AttemptError } from '../platform/egress/attempt-result.ts';

/** Why an attempt failed, in the words for the partner. */
export const attemptSentences: Record<AttemptError, string> = {
  refused: 'refused: the name of the address must lead to public addresses only',
  dns: 'dns: the name of the address was not found',
  'no-ipv4': 'no-ipv4: the name of the address has no IPv4 address, and callbacks are sent over IPv4',
  connect: 'connect: no connection could be made',
  tls: 'tls: the certificate or the handshake was not accepted',
  timeout: 'timeout: no response came in time',
  response: 'response: it was not HTTP, or ended before its status',
  status: 'status: the response was not 2xx',
  local: 'local: we could not make an attempt, test again',
};
