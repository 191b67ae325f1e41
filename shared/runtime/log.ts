import { Logger } from '@aws-lambda-powertools/logger';

/** Service name and level come from POWERTOOLS_SERVICE_NAME and POWERTOOLS_LOG_LEVEL. */
export const logger = new Logger();

export type Fields = Record<string, unknown>;

/**
 * Collects what one unit of work has to say and says it in one wide line: `code` is stable (dashboards and
 * runbooks search for it), `durationMs` is wall time. Never pass a secret, a body or a full phone number.
 */
export const startWork = (code: string, first: Fields = {}) => {
  const startedAt = performance.now();
  const fields: Fields = { code, ...first };
  const line = (more: Fields) => ({
    ...fields,
    ...more,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  });
  return {
    note: (more: Fields) => {
      Object.assign(fields, more);
    },
    done: (outcome: string, more: Fields = {}) => logger.info(code, line({ outcome, ...more })),
    failed: (error: unknown, more: Fields = {}) =>
      logger.error(code, { ...line({ outcome: 'failed', ...more }), error: asError(error) }),
  };
};

export type Work = ReturnType<typeof startWork>;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
