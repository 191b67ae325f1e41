import { inject, onTestFinished, vi } from 'vitest';
import { startEngineProxies } from '../../local/engines/engine-proxy.ts';
import {
  type Access,
  accessDenied,
  findStatement,
  isLike,
  listAccesses,
  type Statement,
} from '../../local/engines/table-accesses.ts';

/**
 * Puts a policy in front of the shared table engine: calls that the policy does not allow are refused as in AWS, and
 * the parts of the policy that allowed a call are recorded. `tables` maps the tables' names to their names in policies.
 */
export async function policedEngine(tables: Readonly<Record<string, string>>) {
  let policy: readonly Statement[] = [];
  const used = new Map<Statement, { actions: Set<string>; rows: Set<string> }>();

  const admit = (access: Access): boolean => {
    const statement = findStatement(policy, access);
    if (!statement) return false;
    const parts = used.get(statement) ?? { actions: new Set(), rows: new Set() };
    used.set(statement, parts);
    parts.actions.add(access.action);
    for (const pattern of statement.rows ?? [])
      if (access.rows.some((row) => isLike(row, pattern))) parts.rows.add(pattern);
    return true;
  };

  const sqs = inject('sqsEndpoint');
  const { endpoints } = await startEngineProxies(
    { dynamodb: inject('dynamodbEndpoint'), sqs },
    async ({ operation, body, forward }) => {
      const refused = listAccesses(operation, JSON.parse(body.toString()))
        .map((access) => ({
          ...access,
          resource: access.resource.replace(/^[^/]+/, (name) => tables[name] ?? name),
        }))
        .find((access) => !admit(access));
      if (!refused) return forward(body);
      return accessDenied(`The documented policy does not allow ${JSON.stringify(refused)}`);
    },
  );
  const endpoint = endpoints.dynamodb;
  return {
    endpoint,
    /** Makes the AWS SDK use this engine instead of AWS until the test ends. */
    standForAws: () => {
      vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
      vi.stubEnv('AWS_REGION', 'eu-central-1');
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
      onTestFinished(() => void vi.unstubAllEnvs());
    },
    under: (statements: readonly Statement[]) => {
      policy = statements;
    },
    /** Returns the parts of the statements that no call has needed so far. */
    unused: (statements: readonly Statement[]): string[] =>
      statements.flatMap((statement) => {
        const { actions, rows } = used.get(statement) ?? { actions: new Set(), rows: new Set() };
        return [
          ...statement.actions.filter((action) => !actions.has(action)),
          ...(statement.rows ?? []).filter((pattern) => !rows.has(pattern)),
        ].map((part) => `${part} on ${statement.resource}`);
      }),
  };
}
