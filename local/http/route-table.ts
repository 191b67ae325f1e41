import { StartUpError } from '../start-up-error.ts';
import type { RouteModel } from '../template/api.ts';

export interface RouteMatch {
  readonly route: RouteModel;
  /** Still percent-encoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Lower comes first: a literal segment beats a variable, which beats a greedy one. */
function kindOf(segment: string): 0 | 1 | 2 {
  if (!segment.startsWith('{')) return 0;
  return segment.endsWith('+}') ? 2 : 1;
}

interface CompiledRoute {
  readonly route: RouteModel;
  readonly method: string;
  readonly segments: readonly string[];
}

function compile(route: RouteModel): CompiledRoute {
  const [method, path] = route.key.split(' ');
  if (!method || !path?.startsWith('/')) throw new StartUpError(`"${route.key}" is not a route key.`);
  return { route, method, segments: path.split('/').slice(1) };
}

function bySpecificity(a: CompiledRoute, b: CompiledRoute): number {
  const length = Math.min(a.segments.length, b.segments.length);
  for (let index = 0; index < length; index++) {
    const difference = kindOf(a.segments[index] ?? '') - kindOf(b.segments[index] ?? '');
    if (difference !== 0) return difference;
  }
  return Number(a.method === 'ANY') - Number(b.method === 'ANY');
}

function matchSegments(
  pattern: readonly string[],
  path: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const kind = kindOf(segment);
    if (kind === 2) {
      const rest = path.slice(index).join('/');
      if (rest === '') return undefined;
      return { ...parameters, [segment.slice(1, -2)]: rest };
    }
    const actual = path[index];
    if (kind === 1 && actual) parameters[segment.slice(1, -1)] = actual;
    else if (segment !== actual) return undefined;
  }
  return pattern.length === path.length ? parameters : undefined;
}

export type FindRoute = (method: string, path: string) => RouteMatch | undefined;

/** Chooses routes with the gateway's priority: exact, then `{variable}`, then `{greedy+}`, then `$default`. */
export function createRouteTable(routes: readonly RouteModel[]): FindRoute {
  const fallback = routes.find(({ key }) => key === '$default');
  const compiled = routes
    .filter((route) => route !== fallback)
    .map(compile)
    .sort(bySpecificity);
  return (method, path) => {
    const segments = path.split('/').slice(1);
    for (const candidate of compiled) {
      if (candidate.method !== method && candidate.method !== 'ANY') continue;
      const pathParameters = matchSegments(candidate.segments, segments);
      if (pathParameters) return { route: candidate.route, pathParameters };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
}
