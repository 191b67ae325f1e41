import { readArguments } from '../infra/arguments.ts';
import type { Section } from './section.ts';

export type BenchCommand =
  | {
      readonly kind: 'bench';
      readonly sections: readonly Section[];
      readonly json: boolean;
      readonly check: boolean;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly sentence: string };

function lineOf({ name, about, onlyWhenNamed }: Section): string {
  return `  ${`${name}${onlyWhenNamed ? ' *' : ''}`.padEnd(14)}${about}`;
}

export function helpFor(sections: readonly Section[]): string {
  return `Measures the service on this machine.

npm run bench -- [section ...] [options]

${sections.map(lineOf).join('\n')}

Without a section all but those marked * run, in ten minutes on two idle cores.

  --json      Print one JSON document: the machine, and every figure
  --check     End with 1 when a budget is missed or something grows faster than its size, and name it
  --help      Show this text

What the figures mean, and what they do not: bench/README.md

Exit code: 0, 1 for a missed budget (--check) or a failure, 2 for a wrong command line.`;
}

function parse(args: readonly string[]) {
  return readArguments(args, {
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** Reads what stands behind `npm run bench --`. */
export function readBenchCommand(args: readonly string[], sections: readonly Section[]): BenchCommand {
  const read = parse(args);
  if (typeof read === 'string') return { kind: 'mistake', sentence: `${read}: --help lists the options.` };
  const { values, positionals } = read;
  if (values.help) return { kind: 'help' };
  const names = sections.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const sentence = `There is no section "${unknown}", choose of ${names.join(', ')}.`;
    return { kind: 'mistake', sentence };
  }
  const chosen = sections.filter(({ name, onlyWhenNamed }) =>
    positionals.length === 0 ? !onlyWhenNamed : positionals.includes(name),
  );
  return { kind: 'bench', sections: chosen, json: values.json, check: values.check };
}
