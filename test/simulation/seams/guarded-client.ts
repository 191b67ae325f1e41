import type { GuardedClient } from '../../../shared/callbacks/guarded-client.ts';
import { theRun } from '../core/current.ts';

export function guardedClient(): GuardedClient {
  return { post: (request) => theRun().receive(request) };
}
