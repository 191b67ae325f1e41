import { writeFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { acceptsIdempotencyKey, type Operation } from '../../shared/platform/http/operation.ts';
import { callbacks, webhooks } from './callbacks.ts';
import type { Documented } from './documented.ts';
import { errorSchemas, headers } from './error-schemas.ts';
import { documented } from './operations.ts';
import { responsesOf } from './responses.ts';
import { components, type Json, schemaOf } from './schema-of.ts';

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
    ...(acceptsIdempotencyKey(op) ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
    ...from(op.path, 'path'),
    ...from(op.query, 'query'),
  ];
}

function operationObject({
  operation: op,
  tag,
  summary,
  description,
  responseHeaders,
  requestsCallbacks,
  ...examples
}: Documented): Json {
  return {
    operationId: op.id,
    tags: [tag],
    summary,
    description: `${description}${rolesSentence(op)}${requestsSentence(op)}`,
    ...(rolesOf(op) ? { 'x-roles': rolesOf(op) } : {}),
    security: securityOf(op),
    parameters: parametersOf(op),
    ...(op.body
      ? {
          requestBody: {
            required: !op.body.safeParse(undefined).success,
            content: {
              'application/json': { schema: schemaOf(op.body, 'input'), example: examples.requestExample },
            },
          },
        }
      : {}),
    responses: responsesOf(
      op,
      {
        schema: schemaOf(op.response, 'output'),
        example: examples.responseExample,
        csvExample: examples.csvExample,
      },
      responseHeaders,
    ),
    ...(requestsCallbacks ? { callbacks: callbacks(op.id) } : {}),
  };
}

/** Rule 48. */
function requestsSentence({ requests }: Operation): string {
  return requests === undefined ? '' : ` Counts as ${requests} requests.`;
}

function securityOf({ caller }: Operation): Json[] {
  const schemes = { basic: [{ partner: [] }], iam: [{ wallet: [] }], none: [] };
  return schemes[caller.authorization];
}

function rolesOf({ caller, route }: Operation): readonly string[] | undefined {
  return caller.rolesFor?.(route.split(' ')[0] ?? '');
}

function rolesSentence(op: Operation): string {
  const roles = rolesOf(op);
  return roles ? `\n\nKeys that may call it: ${roles.join(', ')}.` : '';
}

/** The operations that ignore unknown parameters of the query. */
const ofContract = documented
  .filter(({ operation }) => operation.contractId !== undefined)
  .map(({ operation }) => operation.id);

const info = {
  title: 'Partner integration service',
  version: '1',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The operator who gave you your credentials' },
  description:
    'Connects retailers that run loyalty programs (partners) with a mobile wallet. Bodies are JSON in ' +
    'UTF-8. Every POST, and every PUT with a body, accepts an `Idempotency-Key`; a dry run of a send ignores it.\n\n' +
    'Members of a body that are not listed here are ignored, or passed on in `payload`, `qos` and `utm`; a parameter ' +
    'of the query that is not listed is refused (400), but by these operations, which ignore it: ' +
    `${ofContract.join(', ')}. ` +
    'Refused in both is a name that resembles a listed one which the same object lacks (`dryrun`, where `dryRun` is ' +
    'absent): it differs only by case, `_`, `-` or one letter. So is one that another object of the same body lists and ' +
    'lacks (`deliverDue` beside `qos`), but in `payload` and `qos`, which pass it on, and one in the query that the body ' +
    'lists and lacks, or the reverse, and `dryRun` where there is no dry run. `utm` and other objects without a ' +
    'form are not searched for such names; those of elements of `places` are told in the `remarks` of the session.\n\n' +
    '`null` in an optional member of a body is as if it were absent, unless the type of the member has null.\n\n' +
    'A body may be gzipped: send it with `Content-Encoding: gzip` and `Content-Type: application/octet-stream`.\n\n' +
    'Responses and errors may get further members, and `status` of an error further codes. ' +
    'With `Accept: application/problem+json` errors that have a body are problem details (RFC 9457), unless ' +
    '`application/json` has the same weight or more.\n\n' +
    'The gateway in front of the service answers some requests itself, with `{"message": ...}`: no credentials ' +
    '(401), wrong ones (403), an unknown path or method (404), a body beyond 6 MB, or 4.7 MB of gzip (413), too many requests at ' +
    'once (429, 503) and a failure (500).',
};

/** Every deployed stage has a host of its own. */
const servers = [
  {
    url: 'https://{host}',
    description: 'A deployed stage; its operator names the host',
    variables: {
      host: {
        default: 'api-id.execute-api.eu-central-1.amazonaws.com',
        description: "The stage's domain name",
      },
    },
  },
  { url: 'http://127.0.0.1:3000', description: 'The service on your machine (npm start)' },
];

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
      'response (with the header `idempotent-replayed: true`).',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: 'order-4711',
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

/** Makes the OpenAPI document from the schemas with which the service validates. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  const add = (route: string, operation: Documented) => {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  };
  for (const one of documented) {
    const { id, route, aliases = [] } = one.operation;
    add(route, one);
    const summary = `${one.summary} (the same as ${route.split(' ')[1]})`;
    // OpenAPI has no parameter for several segments: for clients it is the first path, with an encoded slash.
    for (const alias of aliases.filter((other) => !other.endsWith('+}')))
      add(alias, { ...one, operation: { ...one.operation, id: `${id}Alias` }, summary });
  }
  return {
    openapi: '3.1.0',
    info,
    servers,
    tags: [
      { name: 'Service points', description: 'Partners synchronise their full list of service points.' },
      { name: 'Check-ins', description: 'The cash desk lists active check-ins and redeems one.' },
      { name: 'Push messages', description: 'Partners send messages and follow their delivery.' },
      { name: 'Promotions', description: 'Partners manage their promotions.' },
      { name: 'Events', description: 'What changed or went wrong in the account.' },
      { name: 'Keys', description: 'Partners give each system a key that may do what it needs.' },
      { name: 'Callbacks', description: 'Partners set, try and repair where they are called back.' },
      { name: 'Wallet', description: 'For the wallet platform.' },
      { name: 'Sandbox', description: 'Only on stages whose wallet platform is simulated.' },
    ],
    paths,
    webhooks: webhooks(),
    components: {
      schemas: sorted({ ...errorSchemas, ...components }),
      parameters,
      headers,
      securitySchemes,
    },
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
