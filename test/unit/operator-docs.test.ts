import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readOptions } from '../../ops/cli/options.ts';
import { commands } from '../../ops/partner/commands.ts';
import { optionsOf } from '../../ops/partner/help.ts';

const pages = ['docs/runbook.md', 'docs/operations.md', 'docs/deploying.md'];

function blocksOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

function partnerLines(text: string): string[] {
  return [...text.matchAll(/npm run partner -- ([^`\n|<#]+)/g)].map(([, line = '']) => line.trim());
}

/** What is wrong with the words behind `npm run partner --`. */
function mistakeIn(line: string): string | undefined {
  const words = line.replaceAll('$STAGE', 'prod').split(/\s+/);
  const command = commands.find(({ name }) => name.split(' ').every((word, n) => words[n] === word));
  if (!command) return 'no such command';
  const { operands, options } = readOptions(words.slice(command.name.split(' ').length), optionsOf(command));
  if (operands.length !== command.operands.length) return 'operands are missing, or too many';
  return options.has('stage') ? undefined : 'works on the local service: --stage is missing';
}

function mistakesIn(text: string): [string, string][] {
  const lines = partnerLines(text);
  expect(lines.length).toBeGreaterThan(0);
  return lines.flatMap((line) => {
    const mistake = mistakeIn(line);
    return mistake === undefined ? [] : [[line, mistake]];
  });
}

test.each(pages)('the partner commands of %s are whole, and of a deployed stage', (page) => {
  expect(mistakesIn(blocksOf(page).join('\n'))).toEqual([]);
});

test('so are those within the sentences of the runbook, which are pasted in a hurry', () => {
  expect(mistakesIn(readFileSync('docs/runbook.md', 'utf8'))).toEqual([]);
});

test.each(pages)('the commands of %s are what a shell can read, without places to fill in', (page) => {
  const blocks = blocksOf(page);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    expect(block).not.toMatch(/<[a-z][\w ]*>/i);
    expect({ block, ...read(block) }).toEqual({ block, stderr: '', status: 0 });
  }
});

function read(block: string) {
  const { stderr, status } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
  return { stderr, status };
}
