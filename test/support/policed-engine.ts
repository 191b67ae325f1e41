import { inject, onTestFinished, vi } from 'vitest';
import { startEngineProxies } from '../../local/engines/engine-proxy.ts';
import { type Access, listAccesses } from '../../local/engines/table-accesses.ts';

/** A permission in a policy. As in our IAM policies, its only possible condition is `dynamodb:LeadingKeys`. */
export type Statement = {
  actions: readonly string[];
  /** `TABLE`, `TABLE/index/<name>`, `RESTORED` or `*`. */
  resource: string;
  /** Patterns of partition keys; if missing, any key and scans are allowed. */
  rows?: readonly string[];
};

function matches(pattern: string, row: string): boolean {
  return pattern.endsWith('*') ? row.startsWith(pattern.slice(0, -1)) : row === pattern;
}

/** A missing key satisfies `ForAllValues`, so a statement with rows must not allow scans. */
function allows(statement: Statement, { action, resource, rows }: Access): boolean {
  return (
    statement.actions.includes(action) &&
    statement.resource === resource &&
    rows.every((row) => statement.rows?.some((pattern) => matches(pattern, row)) ?? true)
  );
}

/**
 * Puts a policy in front of the shared table engine: calls that the policy does not allow are refused as in AWS, and
 * the parts of the policy that allowed a call are recorded. `tables` maps the tables' names to their names in policies.
 */
export async function policedEngine(tables: Readonly<Record<string, string>>) {
  let policy: readonly Statement[] = [];
  const used = new Map<Statement, { actions: Set<string>; rows: Set<string> }>();

  const admit = (access: Access): boolean => {
    const statement = policy.find((one) => allows(one, access));
    if (!statement) return false;
    const parts = used.get(statement) ?? { actions: new Set(), rows: new Set() };
    used.set(statement, parts);
    parts.actions.add(access.action);
    for (const pattern of statement.rows ?? [])
      if (access.rows.some((row) => matches(pattern, row))) parts.rows.add(pattern);
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
      const message = `The documented policy does not allow ${JSON.stringify(refused)}`;
      const error = { __type: 'com.amazon.coral.service#AccessDeniedException', message };
      const contentType = 'application/x-amz-json-1.0';
      return { status: 400, contentType, body: Buffer.from(JSON.stringify(error)) };
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
