import * as z from 'zod/mini';

/** `true` or `false` in a query string; false when it is absent. */
export function queryFlag(description: string) {
  return z
    ._default(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }), false)
    .register(z.globalRegistry, { description: `true: ${description}; default false`, type: 'boolean' });
}
