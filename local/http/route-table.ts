import type { RouteModel } from '../template/service-model.ts';

export type RouteMatch = {
  route: RouteModel;
  pathParameters: Readonly<Record<string, string>>;
};

/** A variable takes one segment of a path, and `{rest+}` all that is left of it. */
function expressionFor(segment: string): string {
  const [, name, greedy] = /^\{(\w+)(\+?)\}$/.exec(segment) ?? [];
  return name ? `(?<${name}>${greedy ? '[^]+' : '[^/]+'})` : RegExp.escape(segment);
}

/** Rank of a path segment; the lowest wins: a name, then `{id}`, then `{rest+}`. */
function rankOf(segment: string): number {
  return Number(segment.startsWith('{')) + Number(segment.endsWith('+}'));
}

function compile(route: RouteModel) {
  const [method, path = ''] = route.key.split(' ');
  const segments = path.split('/');
  const pattern = new RegExp(`^${segments.map(expressionFor).join('/')}$`);
  return { route, method, pattern, rank: segments.map(rankOf).join('') };
}

/** Chooses routes with the gateway's priority: a name in the path before a `{variable}`, and `$default` if no other takes it. */
export function routeTable(routes: readonly RouteModel[]) {
  const fallback = routes.find(({ key }) => key === '$default');
  const compiled = routes.map(compile).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return (wantedMethod: string, path: string): RouteMatch | undefined => {
    for (const { route, method, pattern } of compiled) {
      const match = method === wantedMethod ? pattern.exec(path) : null;
      if (match) return { route, pathParameters: { ...match.groups } };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
}
