import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const document = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

type Schema = { $ref?: string; type?: string; items?: Schema };
type Parameter = {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
};
type Operation = {
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
};

const { paths, components } = JSON.parse(readFileSync(document, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
};

export const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

/** Returns the request in an operation's sample event. An alias has the sample of its operation. */
export function sampleOf({ route, operationId }: (typeof documented)[number]) {
  const file = new URL(`../../events/${operationId.replace(/Alias$/, '')}.json`, import.meta.url);
  const { pathParameters, queryStringParameters, headers, body } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    route,
    path: pathParameters,
    query: queryStringParameters,
    header: headers.offerid ? { offerId: headers.offerid } : {},
    ...(body ? { body: JSON.parse(body) } : {}),
  };
}

function typed({ type }: Schema, value: string | undefined) {
  if (value === undefined) return undefined;
  return type === 'integer' ? Number(value) : type === 'boolean' ? value === 'true' : value;
}

/** Returns the calls of all operations with their samples, in a form that clients in any language can read. */
export function sampleCalls() {
  const calls = documented.map((operation) => {
    const sample = sampleOf(operation);
    const parameters = (operation.parameters ?? [])
      .map((one) => (one.$ref ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
      .filter((one) => one !== undefined)
      .map((one) => ({ ...one, value: typed(one.schema, sample[one.in]?.[one.name]) }));
    /** Returns the values of the required or of the optional parameters. */
    const valuesOf = (required: boolean) =>
      parameters.filter((one) => (one.required ?? false) === required).map(({ value }) => value);
    const schema = operation.requestBody?.content['application/json'].schema;
    return {
      operationId: operation.operationId,
      parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
      path: parameters.filter((one) => one.in === 'path').map(({ value }) => value),
      inOrder: [...valuesOf(true), ...(schema ? [sample.body] : []), ...valuesOf(false)],
      ...(schema ? { body: sample.body, bodyType: (schema.items ?? schema).$ref?.split('/').at(-1) } : {}),
    };
  });
  // Requests with a body come first, because they write what the others read.
  return calls.toSorted((a, b) => Number('body' in b) - Number('body' in a));
}
