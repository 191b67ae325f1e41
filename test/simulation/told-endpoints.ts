import type { RowHistory } from './watch-rows.ts';

type Told = { pk: string; kind: string; data: { what?: string; reason?: string } };

/**
 * Returns the events of endpoints that tell what they may not: a recovery without a failing before it, the same failing
 * twice, or a disabling for its age without a failing. Rows in the order in which they were written.
 */
export function toldWrongly(histories: readonly RowHistory[]): string[] {
  const wrong: string[] = [];
  const told = new Map<string, Set<string>>();
  for (const [first] of histories) {
    const { pk, kind, data } = (first?.row ?? {}) as Told;
    const { what = '', reason } = data ?? {};
    const failing = told.get(pk) ?? new Set();
    told.set(pk, failing);
    const isTwice = kind === 'endpoint.failing' && failing.has(what);
    const isUnannounced =
      failing.size === 0 && (kind === 'endpoint.recovered' || reason === 'failing for 5 days');
    if (isTwice || isUnannounced) wrong.push(JSON.stringify(first));
    if (kind === 'endpoint.failing') failing.add(what);
    // Enabling, another address and another mode close the circuit, which is then not failing.
    const isOther = kind === 'endpoint.changed' && /address|mode/.test(what);
    if (isOther || kind === 'endpoint.recovered' || kind === 'endpoint.enabled') failing.clear();
  }
  return wrong;
}
