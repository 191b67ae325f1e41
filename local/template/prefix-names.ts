import type { ServiceModel } from './service-model.ts';

/**
 * `value`, a model or a part of it, with `prefix` before the name of every table and queue wherever it stands: services
 * that share an engine must not share those.
 */
export function prefixNames<Value>(value: Value, { tables, queues }: ServiceModel, prefix: string): Value {
  const names = [...tables, ...queues].map(({ name }) => name);
  return JSON.parse(JSON.stringify(value).replace(new RegExp(names.join('|'), 'g'), `${prefix}$&`));
}
