import type { ServiceModel } from './service-model.ts';

/**
 * Returns `value`, a model or a part of it, with `prefix` before the name of every table and queue, so that services
 * that share an engine do not share those.
 */
export function prefixNames<Value>(value: Value, { tables, queues }: ServiceModel, prefix: string): Value {
  const names = [...tables, ...queues].map(({ name }) => name);
  return JSON.parse(JSON.stringify(value).replace(new RegExp(names.join('|'), 'g'), `${prefix}$&`));
}
