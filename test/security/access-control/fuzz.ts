import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { documented } from '../../../docs/generate/operations.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { sharedAccessFixture } from './access-fixture.ts';
import { type Components, type Schema, validFor } from './from-schema.ts';
import { type RawRequest, type RawResponse, sendRaw } from './raw-request.ts';
import { violationIn } from './response-rules.ts';

type Parameter = { name: string; in: 'path' | 'query'; schema: Schema };

type Described = {
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, unknown>;
};

export type Target = {
  route: string;
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
  body: Schema | undefined;
  /** The statuses that the document lists for the route. */
  statuses: number[];
};

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
export const components: Components = document.components.schemas;

/** Every route with its description in the published document. */
export const targets: readonly Target[] = documented.flatMap(({ operation }) =>
  inDocument(operation).map((route) => {
    const [method = '', path = ''] = route.split(' ');
    const described: Described = document.paths[path][method.toLowerCase()];
    return {
      route,
      method,
      path,
      operation,
      parameters: described.parameters.filter((parameter) => 'name' in parameter),
      body: described.requestBody?.content['application/json'].schema,
      statuses: Object.keys(described.responses).map(Number),
    };
  }),
);

/** A route with the rest of a path is for clients the operation's first one. */
function inDocument({ route, aliases = [] }: Operation): string[] {
  return [route, ...aliases].filter((one) => !one.endsWith('+}'));
}

function spelled(value: unknown): string {
  return encodeURIComponent(String(value));
}

/** Generates paths of the route with parameters that the document allows, and with some of the optional ones. */
export function validPath({ path, parameters }: Target): fc.Arbitrary<string> {
  const values = parameters.map((parameter) => {
    const value = validFor(parameter.schema, components);
    const isOptional = parameter.in === 'query' && parameter.name !== 'promoId';
    return (isOptional ? fc.option(value, { nil: undefined }) : value).map((given) => ({
      ...parameter,
      given,
    }));
  });
  return fc.tuple(...values).map((all) => {
    const given = all.filter((parameter) => parameter.given !== undefined);
    const query = given.filter((parameter) => parameter.in === 'query');
    const filled = given
      .filter((parameter) => parameter.in === 'path')
      .reduce((before, { name, given: value }) => {
        // A value in the query takes the place of one in the path, which then has a hyphen.
        const isInQuery = query.some((parameter) => parameter.name === name);
        return before.replace(`{${name}}`, isInQuery ? '-' : spelled(value));
      }, path);
    const text = query.map(({ name, given: value }) => `${name}=${spelled(value)}`).join('&');
    return text === '' ? filled : `${filled}?${text}`;
  });
}

/** Returns a path with the document's examples, and with an id that does not exist where it has none. */
export function examplePath({ path, parameters }: Target): string {
  const of = (place: string, name: string) =>
    parameters.find((parameter) => parameter.in === place && parameter.name === name)?.schema.example;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    spelled(of('path', name) ?? '00000000-0000-4000-8000-000000000000'),
  );
  const promoId = of('query', 'promoId');
  return promoId === undefined ? filled : `${filled}?promoId=${promoId}`;
}

/** Returns the document's example of a request to the operation. */
export function exampleBody(operation: Operation): unknown {
  return documented.find((entry) => entry.operation === operation)?.requestExample;
}

/** Sends a request as a caller of the route, and throws if the response breaks a rule. */
export async function sendAndCheck(
  { route, method, operation }: Target,
  { path, body, headers, ...more }: Omit<RawRequest, 'method'>,
): Promise<RawResponse> {
  const { baseUrl, credentials } = await sharedAccessFixture();
  const isPartner = operation.caller.authorization === 'basic';
  const response = await sendRaw(baseUrl, {
    ...{ method, path, ...more },
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(isPartner ? { authorization: credentials, offerid: 'bars-of-moscow' } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const violation = violationIn(operation, response);
  if (violation) throw new Error(`${route} ${path}: ${violation}`);
  return response;
}
