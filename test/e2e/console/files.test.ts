import { expect, test } from 'vitest';
import { stageConfig } from '../../../infra/config.ts';
import { consoleFixture } from '../../support/console.ts';
import { filesOfPages, firstViewBudgetBytes, firstViewFiles } from '../../support/first-view.ts';

const { running } = consoleFixture('', { hasEndpoint: false });
const pages = [...filesOfPages()];
const first = ['index.html', 'index.js', 'index.css'];

/** Turns `assets/index-6mFXokhD.js` into `index.js`. */
function withoutHash(file: string): string {
  return file.replace(/^assets\/(.+)-[\w-]{8}\.(\w+)$/, '$1.$2');
}

test('a page that is opened first loads four files, and a later one loads one', () => {
  expect(pages).toHaveLength(10);
  for (const [page, files] of pages) expect(files.map(withoutHash)).toEqual([...first, `${page}.js`]);
});

test('the first view stays within its budget', () => {
  const bytes = firstViewFiles().reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(firstViewBudgetBytes);
});

test('the ceiling of prod is above what ten browsers have under way at once: the files that follow the page, or those of a later page', () => {
  const inParallel = Math.max(first.length - 1, ...pages.map(([, files]) => files.length - first.length));
  expect(inParallel).toBe(2);
  expect(stageConfig('prod').reservedConcurrency['ServeConsole']).toBeGreaterThanOrEqual(10 * inParallel);
});

test.each(['', '/console', '/console/keys', `/console/${pages[0]?.[1][1]}`, '/openapi.json'])(
  'HEAD of %s says what GET would send, without sending it',
  async (path) => {
    const url = `${running.service.endpoints.baseUrl}${path}`;
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => fetch(url, { method, redirect: 'manual' })),
    );
    expect([head?.status, head?.headers.get('etag')]).toEqual([get?.status, get?.headers.get('etag')]);
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
    expect(await head?.text()).toBe('');
  },
);
