import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** These words are never right in this project. Reviewers judge whether a sentence is plain. */
const better: readonly [RegExp, string][] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\breckon(s|ed|ing)?\b/i, 'estimate or calculate'],
  [/\banew\b/i, 'again, or from scratch'],
  [/\bwork(s|ed|ing)? off\b/i, 'process'],
  [/\bheed(s|ed|ing)?\b/i, 'follow'],
  [/\bknock(s|ed|ing)?\b/i, 'request'],
  [/\bin vain\b/i, 'without success'],
  [/\bwhom it\b/i, 'who is affected'],
  [/\b(is|are) asked for\b/i, 'is required'],
  [/\bthe one and the other\b/i, 'both'],
  [/\bgood for nothing\b/i, 'what it is for'],
  [/\bus(e|es|ed|ing) (a|an|the|its|this|that|one|it)( [\w-]+)? up\b/i, 'redeem, or spend'],
  [/\b(hitherto|henceforth|forthwith|thereof|lest)\b/i, 'a word of today'],
];

const otherPeoplesWords = ['package-lock.json', 'test/data/', 'ops/scenario/data/'];
const thisFile = 'test/unit/language.test.ts';

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /(\.(ts|js|mjs|md|json|yml)|\/run|pre-commit)$/.test(file) && file !== thisFile)
  // A file that was deleted stays in the index until the deletion is staged.
  .filter((file) => existsSync(join(root, file)))
  .filter((file) => !otherPeoplesWords.some((path) => file.startsWith(path)));

function findings(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    better
      .filter(([pattern]) => pattern.test(line))
      .map(([pattern, word]) => `${file}:${index + 1} says "${pattern.exec(line)?.[0]}": say ${word}`),
  );
}

test('code, tests and documents use no word of this list', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(findings)).toEqual([]);
});
