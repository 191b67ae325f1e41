import type { AttemptResult } from '../../../shared/callbacks/attempt.ts';
import type { SignedRequest } from '../../../shared/callbacks/signed-request.ts';

/** Takes the callbacks of every partner. */
export type Receiver = (request: SignedRequest) => Promise<AttemptResult>;
