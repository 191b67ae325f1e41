import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runProgram } from '../../ops/cli/command-line.ts';
import { partnerProgram } from '../../ops/partner/program.ts';
import { operatorPolicy } from '../support/operator-policies.ts';

const pages = ['docs/runbook.md', 'docs/operations.md', 'docs/deploying.md'];

function blocksOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

function partnerLines(text: string): string[] {
  return [...text.matchAll(/npm run partner -- ([^`\n|<#]+)/g)].map(([, line = '']) => line.trim());
}

/** Returns the error about the words after `npm run partner --`, if there is one. */
async function mistakeIn(line: string): Promise<string | undefined> {
  const program = partnerProgram(() => async () => {});
  const errors: string[] = [];
  const words = line.replaceAll('$STAGE', 'prod').split(/\s+/);
  await runProgram(program, words, { print: () => {}, printError: (text) => errors.push(text) });
  if (errors.length > 0) return errors.join();
  return program.opts().stage ? undefined : 'works on the local service: --stage is missing';
}

async function mistakesIn(text: string): Promise<[string, string | undefined][]> {
  const lines = partnerLines(text);
  expect(lines.length).toBeGreaterThan(0);
  const all = await Promise.all(lines.map(async (line) => [line, await mistakeIn(line)] as const));
  return all.flatMap(([line, mistake]) => (mistake === undefined ? [] : [[line, mistake]]));
}

test.each(pages)('the partner commands of %s parse, and name a deployed stage', async (page) => {
  expect(await mistakesIn(blocksOf(page).join('\n'))).toEqual([]);
});

test('the partner commands in the prose of the runbook parse, and name a deployed stage', async () => {
  expect(await mistakesIn(readFileSync('docs/runbook.md', 'utf8'))).toEqual([]);
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
  // A shell complains of a locale that the machine lacks.
  const env = { ...process.env, LC_ALL: 'C' };
  const { stderr, status } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8', env });
  return { stderr, status };
}

const reads = /^(?:describe|filter|get|list|query|receive)/;

/** The IAM action of a command such as `sqs delete-message`. */
function actionOf([, service = '', command = '']: RegExpMatchArray): string {
  const name = command.replace(/(?:^|-)(.)/g, (_part, letter: string) => letter.toUpperCase());
  return name === 'Invoke' ? `${service}:InvokeFunction` : `${service}:${name}`;
}

test('who is on call may do what the runbook changes in AWS', () => {
  const commands = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/\baws ([a-z]+) ([a-z-]+)/g)];
  const changes = commands.filter(([, , command = '']) => !reads.test(command)).map(actionOf);
  expect(changes).toContain('sqs:StartMessageMoveTask');
  const granted = operatorPolicy('on call').flatMap(({ actions }) => actions);
  expect(changes.filter((action) => !granted.includes(action))).toEqual([]);
});

test('help lists no argument of forget, which refuses a number in the command line', () => {
  expect(partnerProgram(() => async () => {}).helpInformation()).toMatch(/^ +forget \[options\] {2,}\w/m);
});
