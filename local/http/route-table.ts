import type { RouteModel } from '../template/api.ts';

export interface RouteMatch {
  readonly route: RouteModel;
  /** Still percent-encoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type FindRoute = (method: string, path: string) => RouteMatch | undefined;

interface CompiledRoute {
  readonly route: RouteModel;
  readonly method: string;
  readonly segments: readonly string[];
}

function compile(route: RouteModel): CompiledRoute {
  const [method = '', path = ''] = route.key.split(' ');
  return { route, method, segments: path.split('/') };
}

function isVariable(segment: string): boolean {
  return segment.startsWith('{');
}

/** `{proxy+}` takes all that is left of a path. */
function isGreedy(segment: string | undefined): segment is string {
  return segment?.endsWith('+}') ?? false;
}

/** `/places/{id}` -> `001`: lower comes first, so a name beats a variable, and a variable `{rest+}`. */
function rankOf({ segments }: CompiledRoute): string {
  return segments.map((segment) => Number(isVariable(segment)) + Number(isGreedy(segment))).join('');
}

function matchSegments(
  pattern: readonly string[],
  path: readonly string[],
): Record<string, string> | undefined {
  const last = pattern.at(-1);
  if (isGreedy(last) && path.length > pattern.length) {
    const rest = path.slice(pattern.length - 1).join('/');
    return matchSegments(pattern, [...path.slice(0, pattern.length - 1), rest]);
  }
  if (pattern.length !== path.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const actual = path[index];
    if (isVariable(segment) && actual) parameters[segment.replace(/[{}+]/g, '')] = actual;
    else if (segment !== actual) return undefined;
  }
  return parameters;
}

/** Chooses routes with the gateway's priority: a name in the path before a `{variable}`. */
export function createRouteTable(routes: readonly RouteModel[]): FindRoute {
  const compiled = routes.map(compile).sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  return (method, path) => {
    const segments = path.split('/');
    for (const candidate of compiled) {
      if (candidate.method !== method) continue;
      const pathParameters = matchSegments(candidate.segments, segments);
      if (pathParameters) return { route: candidate.route, pathParameters };
    }
    return undefined;
  };
}
