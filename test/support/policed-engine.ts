import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject, onTestFinished, vi } from 'vitest';
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

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const accesses = listAccesses(operation, JSON.parse(body.toString())).map((access) => ({
      ...access,
      resource: access.resource.replace(/^[^/]+/, (name) => tables[name] ?? name),
    }));
    const refused = accesses.find((access) => !admit(access));
    if (refused) {
      const message = `The documented policy does not allow ${JSON.stringify(refused)}`;
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message }));
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const given = await fetch(inject('dynamodbEndpoint'), {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    const type = given.headers.get('content-type') ?? '';
    response.writeHead(given.status, { 'content-type': type }).end(await given.text());
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
