import type { ResponseTo } from '../../api/operations.ts';

export type Session = ResponseTo<'GET /places/sync/{sessionId}'>;
