import { compareSchemas, type Document, type Schema } from './breaking-schemas.ts';

type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Body = { required?: boolean; content?: Record<string, { schema?: Schema }> };
type Operation = {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Body;
  responses?: Record<string, Body>;
};

/**
 * Lists, as sentences, what in a newer OpenAPI document would break a client made for the older one: what is gone, what
 * is narrower in a request or wider in a response, and what a request must have now but did not need before.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (!now) return [`${route}: is gone`];
      const pair = { before: operation as Operation, after: now as Operation };
      return [
        ...parameterChanges(route, pair, before, after),
        ...bodyChanges(route, pair, before, after),
        ...responseChanges(route, pair, before, after),
      ];
    }),
  );
}

type Pair = { before: Operation; after: Operation };

function parametersOf({ parameters = [] }: Operation, document: Document): Map<string, Parameter> {
  const all = parameters.map((parameter) => {
    const name = parameter.$ref?.split('/').at(-1);
    return name === undefined
      ? (parameter as Parameter)
      : (document.components.parameters?.[name] as Parameter);
  });
  return new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function parameterChanges(route: string, pair: Pair, before: Document, after: Document): string[] {
  const old = parametersOf(pair.before, before);
  const now = parametersOf(pair.after, after);
  const changes = [...old].flatMap(([key, parameter]) => {
    const at = `${route} ${key}`;
    const same = now.get(key);
    if (!same) return [`${at}: is gone`];
    return [
      ...(same.required && !parameter.required ? [`${at}: is required now`] : []),
      ...compareSchemas({ at, kind: 'request', before, after }, parameter.schema, same.schema),
    ];
  });
  const required = [...now].filter(([key, { required: must }]) => must && !old.has(key));
  return [...changes, ...required.map(([key]) => `${route} ${key}: is new and required`)];
}

function bodyChanges(route: string, pair: Pair, before: Document, after: Document): string[] {
  const { requestBody: old } = pair.before;
  const { requestBody: now } = pair.after;
  const at = `${route} request`;
  if (!old) return now?.required ? [`${at}: is new and required`] : [];
  if (!now) return [`${at}: is gone`];
  const must = now.required && !old.required ? [`${at}: is required now`] : [];
  return [...must, ...contentChanges({ at, kind: 'request', before, after }, old, now)];
}

function responseChanges(route: string, pair: Pair, before: Document, after: Document): string[] {
  return Object.entries(pair.before.responses ?? {}).flatMap(([status, old]) => {
    const at = `${route} ${status}`;
    const now = pair.after.responses?.[status];
    // A failure that can no longer happen breaks nobody.
    if (!now) return status.startsWith('2') ? [`${at}: is gone`] : [];
    return contentChanges({ at, kind: 'response', before, after }, old, now);
  });
}

type Context = Parameters<typeof compareSchemas>[0];

function contentChanges(context: Context, old: Body, now: Body): string[] {
  return Object.entries(old.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const same = now.content?.[type];
    if (!same) return [`${context.at}: ${type} is gone`];
    return compareSchemas(context, schema, same.schema ?? {});
  });
}
