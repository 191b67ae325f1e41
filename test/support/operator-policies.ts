import { readFileSync } from 'node:fs';
import type { Statement } from '../../local/engines/table-accesses.ts';

/** Reads the policies for operators' commands from docs/deploying.md, by name. */
function documented(): Map<string, Statement[]> {
  const [, section = ''] = readFileSync('docs/deploying.md', 'utf8').split(
    "## Policies for operators' commands",
  );
  const [table = ''] = section.split('\n## ');
  const policies = new Map<string, Statement[]>();
  const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  let name = '';
  for (const [, cells = ''] of table.matchAll(/^\| (.*) \|$/gm)) {
    const [policy = '', , actions = '', on = '', rows = ''] = cells.split('|').map((cell) => cell.trim());
    name = policy || name;
    const [resource] = codes(on);
    if (resource === undefined) continue;
    const patterns = codes(rows);
    const statement = {
      actions: codes(actions),
      resource,
      ...(patterns.length > 0 ? { rows: patterns } : {}),
    };
    policies.set(name, [...(policies.get(name) ?? []), statement]);
  }
  return policies;
}

const policies = documented();

export function operatorPolicy(name: 'partners' | 'erase' | 'restore' | 'in place' | 'on call'): Statement[] {
  const own = policies.get(name);
  if (!own) throw new Error(`docs/deploying.md has no policy ${name}.`);
  return [...own, ...(policies.get('each of these') ?? [])];
}
