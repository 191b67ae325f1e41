import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Operation } from '../../shared/http/operation.ts';
import { CallbackBody, callbackExample } from './callback-body.ts';
import type { Documented } from './documented.ts';
import { documented } from './operations.ts';
import { errorSchema, responsesOf } from './responses.ts';

type Json = Record<string, unknown>;

const components: Json = {};

/** The JSON Schema of a zod schema; schemas that have an id move to the document's components. */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  Object.assign(components, hoist($defs as Json));
  return hoist(json) as Json;
}

function hoist(json: unknown): unknown {
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
}

function parametersOf(op: Operation): Json[] {
  const from = (schema: z.ZodMiniObject | undefined, location: 'path' | 'query') => {
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
    ...(op.caller.header ? [{ $ref: `#/components/parameters/${op.caller.header}` }] : []),
    ...(op.body
      ? [
          { $ref: '#/components/parameters/idempotencyKey' },
          { $ref: '#/components/parameters/contentEncoding' },
        ]
      : []),
    ...from(op.path, 'path'),
    ...from(op.query, 'query'),
  ];
}

function operationObject({ operation: op, tag, summary, description, ...examples }: Documented): Json {
  return {
    operationId: op.id,
    tags: [tag],
    summary,
    description,
    security: [op.caller.authorization === 'basic' ? { partner: [] } : { wallet: [] }],
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
    responses: responsesOf(op, {
      schema: schemaOf(op.response, 'output'),
      example: examples.responseExample,
    }),
  };
}

/** The call that the service makes: a partner implements it. */
function webhooks(): Json {
  return {
    deliveryStatus: {
      post: {
        operationId: 'DeliveryStatusCallback',
        tags: ['Push messages'],
        summary: 'A message was delivered or opened',
        description:
          "Sent to the partner's endpoint for each state change of a message sent with " +
          '`qos.deliveryStatusNotifications`. Signed by Standard Webhooks 1.0.0 (symmetric, v1), with two ' +
          'signatures during a rotation, and with HTTP Basic where the partner gave credentials. At least once, ' +
          'unordered: `webhook-id` is the same at every attempt. Any 2xx counts as received; redirects are not ' +
          'followed; an attempt fails after 15 s. Retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and ' +
          '24 h, each +-20 %, or later as `retry-after` says. 410 disables the endpoint.',
        parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: schemaOf(CallbackBody, 'input'), example: callbackExample },
          },
        },
        responses: { '200': { description: 'Received. The body is empty.' } },
      },
    },
  };
}

const info = {
  title: 'Partner integration service',
  version: '1',
  license: { name: 'MIT', identifier: 'MIT' },
  description:
    'Connects retailers that run loyalty programs (partners) with a mobile wallet. Bodies are JSON in ' +
    'UTF-8. Unlisted members of a request are ignored. Every POST accepts an `Idempotency-Key`.',
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
      'response (with the headers `idempotency-replayed: true` and `idempotent-replayed: true`).',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: 'order-4711',
  },
  contentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    required: false,
    description: 'Set it to gzip when the body is gzipped',
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
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of documented) {
    const [method = '', path = ''] = operation.operation.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
    for (const alias of operation.operation.aliases ?? []) {
      const [, aliasPath = ''] = alias.split(' ');
      const described = operationObject(operation);
      const operationId = `${operation.operation.id}Alias`;
      const summary = `${operation.summary} (the same as ${path})`;
      paths[aliasPath] = {
        ...paths[aliasPath],
        [method.toLowerCase()]: { ...described, operationId, summary },
      };
    }
  }
  const calls = webhooks();
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: 'http://localhost:3000', description: 'The service on your machine (npm start)' }],
    tags: [
      { name: 'Service points', description: 'Partners synchronise their full list of service points.' },
      { name: 'Check-ins', description: 'The cash desk lists active check-ins and redeems one.' },
      { name: 'Push messages', description: 'Partners send messages and follow their delivery.' },
      { name: 'Promotions', description: 'Partners manage their promotions.' },
      { name: 'Wallet', description: 'For the wallet platform.' },
    ],
    paths,
    webhooks: calls,
    components: { schemas: { Error: errorSchema, ...sorted(components) }, parameters, securitySchemes },
  };
}

function sorted(json: Json): Json {
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function openApiText(): string {
  return `${JSON.stringify(openApi(), null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(new URL('../openapi.json', import.meta.url), openApiText());
  console.log('Wrote docs/openapi.json');
}
