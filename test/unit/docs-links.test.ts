import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

type Page = { file: string; text: string; prose: string };

/** `prose` leaves out code blocks, which have no links or headings. */
const pages: Page[] = tracked
  .filter((file) => file.endsWith('.md') && existsSync(join(root, file)))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .map((page) => ({ ...page, prose: page.text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2$/gm, '') }));

type Named = { file: string; what: string };

function listed(found: readonly Named[]): string[] {
  return found.map(({ file, what }) => `${file} names ${what}`);
}

/** Returns everything that `pattern` finds on the pages, each with the file of its page. */
function named(pattern: RegExp, of: (page: Page) => string = ({ text }) => text): Named[] {
  return pages.flatMap((page) =>
    [...of(page).matchAll(pattern)].map(([, what = '']) => ({ file: page.file, what })),
  );
}

/** Makes anchors as GitHub does: lower case, no punctuation, hyphens for spaces, and a number if a heading repeats. */
function anchorsOf({ prose }: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#+ +(.+?) *$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

const anchors = new Map(pages.map((page) => [page.file, anchorsOf(page)]));

test('every relative link leads to a file or folder, and its anchor to a heading', () => {
  const links = named(/\]\(([^)\s]+)(?: "[^"]*")?\)/g, ({ prose }) => prose).filter(
    ({ what }) => !/^[a-z]+:/.test(what),
  );
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(({ file, what }) => {
    const [path = '', anchor] = what.split('#');
    const target = path === '' ? file : relative(root, resolve(root, dirname(file), path));
    return !existsSync(join(root, target)) || (anchor && !anchors.get(target)?.has(anchor));
  });
  expect(listed(broken)).toEqual([]);
});

test('every path that a page names is there', () => {
  const folders = 'functions|shared|infra|build|ops|local|bench|test|docs|events|\\.github|\\.ci';
  const paths = named(new RegExp(`(?<![\\w./-])((?:${folders})/[\\w.*<>{},/-]*[\\w*>}/])`, 'g'));
  expect(paths.length).toBeGreaterThan(100);
  // `<area>` stands for any name.
  const missing = paths.filter(
    ({ what }) => globSync(what.replace(/<[^>]+>/g, '*'), { cwd: root }).length === 0,
  );
  expect(listed(missing)).toEqual([]);
});

test('every page that code or a comment names is there', () => {
  const names = tracked
    .filter((file) => /\.(ts|js|mjs|yml|json)$/.test(file) && existsSync(join(root, file)))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([what]) => ({
        file,
        what,
      })),
    );
  expect(listed(names.filter(({ what }) => !existsSync(join(root, what))))).toEqual([]);
});

test('every npm script that a page names is in package.json', () => {
  const scripts = named(/\bnpm run (?:-\S+ )*([\w:-]+)/g);
  expect(scripts.length).toBeGreaterThan(20);
  expect(listed(scripts.filter(({ what }) => !Object.hasOwn(packageJson.scripts, what)))).toEqual([]);
});
