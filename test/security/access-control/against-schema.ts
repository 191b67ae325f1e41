import * as fc from 'fast-check';
import { type Components, resolve, type Schema, validFor } from './from-schema.ts';

/** Values of every JSON type, with the types that JSON Schema gives them. */
const samples: [types: string[], value: unknown][] = [
  [['null'], null],
  [['boolean'], true],
  [['string'], 'neither number nor date'],
  [['number'], 1.5],
  [['number'], 1e300],
  [['integer', 'number'], 0],
  [['array'], []],
  [['array'], [[]]],
  [['object'], {}],
  [['object'], { length: 1, toString: 1 }],
];

function ofOtherTypes(allowed: readonly (string | undefined)[]): fc.Arbitrary<unknown> {
  const wrong = samples.filter(([types]) => !types.some((type) => allowed.includes(type)));
  return fc.constantFrom(...wrong.map(([, value]) => value));
}

/** Generates values that the schema does not allow, each with one thing wrong; `undefined` if it allows everything. */
export function invalidFor(unresolved: Schema, components: Components): fc.Arbitrary<unknown> | undefined {
  // An invalid place does not make the request invalid, because the session reports it.
  if (unresolved.$ref === '#/components/schemas/Place') return undefined;
  const schema = resolve(unresolved, components);
  if (schema.anyOf) return ofOtherTypes(schema.anyOf.map(({ type }) => type));
  if (schema.type === undefined) return undefined;
  const wrong = [ofOtherTypes([schema.type]), ...wrongWithin(schema, components)];
  return fc.oneof(...wrong);
}

function wrongWithin(schema: Schema, components: Components): fc.Arbitrary<unknown>[] {
  switch (schema.type) {
    case 'object':
      return wrongMembers(schema, components);
    case 'array':
      return wrongElements(schema, components);
    case 'string':
      return wrongTexts(schema).map((text) => fc.constant(text));
    case 'integer': {
      const { minimum, maximum } = schema;
      const outside = [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1];
      return outside.flat().map((n) => fc.constant(n));
    }
    default:
      return [];
  }
}

function wrongMembers(schema: Schema, components: Components): fc.Arbitrary<unknown>[] {
  const { properties = {}, required = [] } = schema;
  const valid = validFor({ ...schema, example: undefined }, components) as fc.Arbitrary<object>;
  const without = required.map((name) =>
    valid.map((value) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
  );
  const replaced = Object.entries(properties).flatMap(([name, property]) => {
    const invalid = invalidFor(property, components);
    // Null in an optional member is as if it were absent (rule 61).
    const wrong = required.includes(name) ? invalid : invalid?.filter((value) => value !== null);
    return wrong ? fc.tuple(valid, wrong).map(([value, member]) => ({ ...value, [name]: member })) : [];
  });
  return [...without, ...replaced];
}

function wrongElements({ items = {}, minItems = 0 }: Schema, components: Components) {
  const wrong = invalidFor(items, components);
  const valid = fc.array(validFor(items, components), { maxLength: 3 });
  return [
    ...(minItems > 0 ? [fc.constant([])] : []),
    ...(wrong ? [fc.tuple(valid, wrong).map(([right, element]) => [...right, element])] : []),
  ];
}

function wrongTexts({ enum: values, pattern, minLength = 0, maxLength }: Schema): string[] {
  return [
    ...(values ? ['none of these', `${values[0]} `] : []),
    ...(pattern === undefined ? [] : ['не то', '\0']),
    ...(minLength > 0 ? [''] : []),
    ...(maxLength === undefined || values || pattern ? [] : ['я'.repeat(maxLength + 1)]),
  ];
}
