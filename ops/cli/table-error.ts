import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { UnknownRow } from '../../shared/platform/table/row-kinds.ts';

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' || unreachable.has((error as NodeJS.ErrnoException).code ?? ''))
  );
}

/** A sentence for a failed call of the table, if the operator can do something about it. */
export function tableErrorSentence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnknownRow) return error.message;
  if (isUnreachable(error)) return 'The table cannot be reached.';
  if (error.name === 'ResourceNotFoundException') return 'There is no such table in this account and region.';
  if (error.name === 'CredentialsProviderError') {
    return 'There are no AWS credentials: log in, or choose a profile with AWS_PROFILE.';
  }
  if (error.message === 'Region is missing') {
    return 'There is no AWS region: set AWS_REGION, or choose a profile with AWS_PROFILE.';
  }
  if (error instanceof DynamoDBServiceException) return `The table refused (${error.name}): ${error.message}`;
  return undefined;
}
