import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import type { Terminal } from '../../ops/cli/command-line.ts';

/** The other side of a command. By default, nobody is there to respond and nothing is piped in. */
export type Person = { response?: string | (() => Promise<string>); pipes?: string; watches?: boolean };

export type Run = { exit: number; out: string; err: string };

/** Runs a command on a terminal, and adds what it asks and how far it says it is to these lists. */
export async function runCommand(
  command: (terminal: Terminal) => Promise<number>,
  { response, pipes, watches }: Person = {},
  { questions, progress }: { questions: string[]; progress: string[] } = { questions: [], progress: [] },
): Promise<Run> {
  const [out, err]: [string[], string[]] = [[], []];
  const ask = async (question: string) => {
    questions.push(question);
    return typeof response === 'function' ? response() : (response ?? '');
  };
  const exit = await command({
    print: (text) => out.push(text),
    printError: (text) => err.push(text),
    ...(response === undefined ? {} : { ask }),
    ...(pipes === undefined ? {} : { readPiped: async () => pipes }),
    ...(watches ? { progress: (text) => progress.push(text) } : {}),
  });
  return { exit, out: out.join('\n'), err: err.join('\n') };
}

/** Makes the state folder of a local service that has this table. */
export function stateFolder(tableName: string, dynamodb: string): string {
  const { path: stateDir } = temporaryFolder('command-test');
  const endpoints = { tableName, dynamodb, baseUrl: 'http://127.0.0.1:3000' };
  writeFileSync(join(stateDir, 'endpoints.json'), JSON.stringify(endpoints));
  return stateDir;
}
