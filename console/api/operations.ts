import type * as z from 'zod/mini';
import type { Contract } from '../../docs/generate/operations.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';

export type Route = Contract['route'];
export type ReadRoute = Extract<Route, `GET ${string}`>;

type By<R extends Route> = Extract<Contract, { route: R }>;
type Sent<Part extends keyof Operation, Op> = Op extends {
  [part in Part]: infer Schema extends z.ZodMiniType;
}
  ? z.input<Schema>
  : never;
type Member<Name extends string, Value> = [Value] extends [never]
  ? { [name in Name]?: never }
  : Record<never, never> extends Value
    ? { [name in Name]?: Value }
    : { [name in Name]: Value };

/** The path, query and body of a request to a route. A query may be given as numbers and is sent as text. */
export type Input<R extends Route> = Member<'path', Sent<'path', By<R>>> &
  Member<'query', Texts<Sent<'query', By<R>>>> &
  Member<'body', Sent<'body', By<R>>>;

type Texts<Query> = [Query] extends [never]
  ? never
  : { [name in keyof Query]?: string | number | boolean | undefined };

export type ResponseTo<R extends Route> = z.output<By<R>['response']>;
