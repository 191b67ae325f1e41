import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import type { Answer } from '../../api/operations.ts';

export type EndpointQuery = UseQueryResult<Answer<'GET /callbacks/endpoint'>, ApiError>;
export type SessionsQuery = UseQueryResult<Answer<'GET /places/sync'>, ApiError>;
