// Replaced by commander, with the exit codes and sentences of build/command-line.ts.
import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * `--limit -5` as one word, so that the option's own check names the range. Two words would be refused as ambiguous,
 * in three lines.
 */
function joined(args: readonly string[]): string[] {
  const words: string[] = [];
  for (const word of args) {
    const before = words.at(-1);
    const belongs = /^-\d/.test(word) && before !== undefined && /^--[^=]+$/.test(before);
    if (belongs) words[words.length - 1] = `${before}=${word}`;
    else words.push(word);
  }
  return words;
}

/** What `parseArgs` reads from the words, or what is wrong with them: a sentence that lacks its end. */
export function readArguments<T extends ParseArgsConfig>(
  args: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T>> | string {
  try {
    return parseArgs<T>({ ...config, args: joined(args) });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.?\n|\. /);
    return sentence.replace(' argument is ambiguous', ' lacks its value');
  }
}

/** For programs that take flags only: those that were given. Ends the program after its help, or a mistake (2). */
export function flagsOrEnd(help: string, names: readonly string[] = []): ReadonlySet<string> {
  const options = Object.fromEntries([...names, 'help'].map((name) => [name, { type: 'boolean' as const }]));
  const read = readArguments(process.argv.slice(2), { options });
  if (typeof read === 'string') {
    console.error(`${read}: --help lists the options.`);
    process.exit(2);
  }
  const flags = new Set(Object.keys(read.values));
  if (flags.has('help')) {
    console.log(help);
    process.exit(0);
  }
  return flags;
}
