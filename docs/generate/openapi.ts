import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Operation } from '../../shared/http/operation.ts';
import { type Documented, documented } from './operations.ts';
import { errorSchema, responsesOf } from './responses.ts';

type Json = Record<string, unknown>;

const components: Json = {};

/** The JSON Schema of a zod schema; schemas that have an id move to the document's components. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  Object.assign(components, hoist($defs as Json));
  return hoist(json) as Json;
};

const hoist = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(hoist);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).filter(
    ([key]) => key !== 'id' || typeof (json as Json)['id'] !== 'string',
  );
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, hoist(value)],
    ),
  );
};

const parametersOf = (op: Operation): Json[] => {
  const from = (schema: z.ZodObject | undefined, location: 'path' | 'query') => {
    if (!schema) return [];
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Json;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      schema: property,
    }));
  };
  return [
    ...(op.offerHeader ? [{ $ref: '#/components/parameters/offerId' }] : []),
    ...(op.body
      ? [
          { $ref: '#/components/parameters/idempotencyKey' },
          { $ref: '#/components/parameters/contentEncoding' },
        ]
      : []),
    ...from(op.path, 'path'),
    ...from(op.query, 'query'),
  ];
};

const operationObject = ({ operation: op, tag, summary, description, ...examples }: Documented): Json => ({
  operationId: op.id,
  tags: [tag],
  summary,
  description,
  security: [op.caller === 'partner' ? { partner: [] } : { wallet: [] }],
  parameters: parametersOf(op),
  ...(op.body
    ? {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: schemaOf(op.body, 'input'), example: examples.requestExample },
          },
        },
      }
    : {}),
  responses: responsesOf(op, { schema: schemaOf(op.answer, 'output'), example: examples.answerExample }),
});

const info = {
  title: 'Partner integration service',
  version: '1',
  license: { name: 'MIT', identifier: 'MIT' },
  description:
    'Between retailers that run loyalty programs (partners) and a mobile wallet. Bodies are JSON in UTF-8. ' +
    'Members of a request that are not listed are ignored. Every POST accepts an `Idempotency-Key`.',
};

const parameters = {
  offerId: {
    name: 'offerId',
    in: 'header',
    required: true,
    description: "Identifier of the loyalty program, one of the account's own",
    schema: { type: 'string' },
    example: 'bars-of-moscow',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Kept 24 hours for each account and operation. The same key with the same request replays the first ' +
      'answer (with the header `idempotency-replayed: true`).',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: 'order-4711',
  },
  contentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    required: false,
    description: 'Leave it out, or send the body gzipped and say so',
    schema: { type: 'string', enum: ['gzip', 'identity'] },
  },
};

const securitySchemes = {
  partner: { type: 'http', scheme: 'basic', description: "The partner account's login and secret" },
  wallet: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: "AWS Signature Version 4 of the wallet platform's IAM role",
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
};

/** The OpenAPI document, from the schemas that validate. */
export const openApi = (): Json => {
  const paths: Record<string, Json> = {};
  for (const operation of documented) {
    const [method = '', path = ''] = operation.operation.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: 'http://localhost:3000', description: 'The service on your machine (npm start)' }],
    tags: [
      { name: 'Service points', description: 'Partners synchronise their full list of service points.' },
      { name: 'Check-ins', description: 'The cash desk reads active check-ins and uses one up.' },
      { name: 'Promotions', description: 'Partners keep their promotions.' },
      { name: 'Wallet', description: 'The other side: the wallet platform.' },
    ],
    paths,
    components: { schemas: { Error: errorSchema, ...sorted(components) }, parameters, securitySchemes },
  };
};

const sorted = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));

export const openApiText = (): string => `${JSON.stringify(openApi(), null, 2)}\n`;

if (import.meta.main) {
  writeFileSync(new URL('../openapi.json', import.meta.url), openApiText());
  console.log('Wrote docs/openapi.json');
}
